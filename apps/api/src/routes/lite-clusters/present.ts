import { toTimestamp } from '@gateway/core';
import { apiServerUrl, describeStatus, type LiteCluster, type LiteClusterHealth } from '@gateway/lite';
import {
  type Actor,
  addNames,
  allowedActions,
  instanceNames,
  type ManagedBy,
  markTransition,
  networkNames,
  type Scope,
  sourcesIn,
  withNames,
} from '@gateway/resources';
import { actorOf } from '../../auth/caller.ts';
import { sourcesOf } from '../../pipeline/cached-list.ts';
import type { RequestContext } from '../../pipeline/request-context.ts';
import { liteClusterActions } from '../../resources/lite-cluster-actions.ts';
import { type LiteClusterUpgrade, readLiteClusterUpgrade } from '../../resources/lite-cluster-upgrade.ts';
import type { PresentedCluster } from './lite-cluster-shape.ts';

/** A cluster as the interface shows it, with its latest health if there is a result. */
function presentLiteCluster(
  cluster: LiteCluster,
  health: LiteClusterHealth | undefined,
  { busyWith, upgrade }: { busyWith: string | null; upgrade: LiteClusterUpgrade | null },
  actor: Actor,
): PresentedCluster {
  const { agents, serverIp } = cluster;
  const jobId = cluster.status === 'CREATING' ? cluster.creationJobId : busyWith;
  return {
    id: cluster.id,
    name: cluster.name,
    status: cluster.status,
    status_reason: describeStatus(cluster),
    server_vm_id: cluster.serverVmId,
    server_vm_name: null,
    agent_vm_ids: agents.map(({ vmId }) => vmId),
    agent_vm_names: agents.map(() => null),
    agent_count: agents.length,
    api_address: serverIp === null ? null : apiServerUrl(serverIp),
    server_ip: serverIp,
    network_id: cluster.networkId,
    network_name: null,
    key_name: cluster.keyName,
    k3s_version: cluster.k3sVersion,
    created_at: toTimestamp(cluster.createdAt),
    updated_at: toTimestamp(cluster.updatedAt),
    deleted_at: toTimestamp(cluster.deletedAt),
    health_status: cluster.status === 'ACTIVE' ? (health?.status ?? 'UNKNOWN') : null,
    plugin_status: cluster.pluginStatus,
    plugin_messages: cluster.pluginMessages,
    upgrade,
    managed_by: managerOf(jobId),
    allowed_actions: allowedActions(liteClusterActions, { cluster, busyWith }, actor),
    ...markTransition(cluster.status === 'CREATING', cluster.status, {
      changedAt: toTimestamp(cluster.updatedAt),
    }),
  };
}

/** A cluster belongs to the job that creates or changes it, until that ends. */
function managerOf(jobId: string | null): ManagedBy | null {
  return jobId === null ? null : { type: 'job', id: jobId };
}

/** The sources of the names in a cluster. */
const NAMES = {
  server_vm_id: instanceNames,
  agent_vm_ids: instanceNames,
  network_id: networkNames,
};

/** Clusters with their latest health, their upgrades, and names, in the same order. */
export async function presentLiteClusters(
  request: RequestContext,
  clusters: readonly LiteCluster[],
  actor: Actor,
  scope: Scope = 'project',
): Promise<PresentedCluster[]> {
  const { app } = request;
  const [results, upgraded] = await Promise.all([
    app.liteClusterHealth.getMany(clusters.map(({ id }) => id)),
    Promise.all(clusters.map((cluster) => readLiteClusterUpgrade(app, cluster))),
  ]);
  const presented = upgraded.map(({ cluster, ...running }) =>
    presentLiteCluster(cluster, results.get(cluster.id), running, actor),
  );
  return addNames(sourcesOf(request), presented, sourcesIn(scope, NAMES));
}

/** A cluster with its latest health, its upgrade, and names. */
export async function presentWithHealth(
  request: RequestContext,
  cluster: LiteCluster,
  scope: Scope = 'project',
): Promise<PresentedCluster> {
  const { app, caller } = request;
  const [health, upgraded] = await Promise.all([
    app.liteClusterHealth.get(cluster.id),
    readLiteClusterUpgrade(app, cluster),
  ]);
  const presented = presentLiteCluster(upgraded.cluster, health ?? undefined, upgraded, actorOf(caller));
  return withNames(sourcesOf(request), presented, sourcesIn(scope, NAMES));
}
