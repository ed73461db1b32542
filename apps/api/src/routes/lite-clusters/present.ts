import { toTimestamp } from '@gateway/core';
import { apiServerUrl, describeStatus, type LiteCluster, type LiteClusterHealth } from '@gateway/lite';
import { type Actor, allowedActions, type ManagedBy } from '@gateway/views';
import { actorOf, type Caller } from '../../auth/caller.ts';
import type { AppContext } from '../../context.ts';
import { liteClusterActions } from '../../resources/lite-cluster-actions.ts';
import { type LiteClusterUpgrade, readLiteClusterUpgrade } from '../../resources/lite-cluster-upgrade.ts';

/** A cluster as the interface shows it, with its latest health if there is a result. */
export function presentLiteCluster(
  cluster: LiteCluster,
  health: LiteClusterHealth | undefined,
  { busyWith, upgrade }: { busyWith: string | null; upgrade: LiteClusterUpgrade | null },
  actor: Actor,
) {
  const { agents, serverIp } = cluster;
  const jobId = cluster.status === 'CREATING' ? cluster.creationJobId : busyWith;
  return {
    id: cluster.id,
    name: cluster.name,
    status: cluster.status,
    status_reason: describeStatus(cluster),
    server_vm_id: cluster.serverVmId,
    agent_vm_ids: agents.map(({ vmId }) => vmId),
    agent_count: agents.length,
    api_address: serverIp === null ? null : apiServerUrl(serverIp),
    server_ip: serverIp,
    network_id: cluster.networkId,
    key_name: cluster.keyName,
    k3s_version: cluster.k3sVersion,
    created_at: toTimestamp(cluster.createdAt),
    updated_at: toTimestamp(cluster.updatedAt),
    deleted_at: toTimestamp(cluster.deletedAt),
    health_status: cluster.status === 'ACTIVE' ? (health?.status ?? 'UNKNOWN') : null,
    plugin_status: cluster.pluginStatus,
    plugin_messages: cluster.pluginMessages ?? null,
    upgrade,
    managed_by: managerOf(jobId),
    allowed_actions: allowedActions(liteClusterActions, { cluster, busyWith }, actor),
  };
}

/** A cluster belongs to the job that creates or changes it, until that ends. */
function managerOf(jobId: string | null): ManagedBy | null {
  return jobId === null ? null : { type: 'job', id: jobId };
}

/** A cluster with its latest health and its upgrade. */
export async function presentWithHealth(
  app: Pick<AppContext, 'liteClusterHealth' | 'liteClusters' | 'redis'>,
  cluster: LiteCluster,
  caller: Pick<Caller, 'can'>,
) {
  const [health, upgraded] = await Promise.all([
    app.liteClusterHealth.get(cluster.id),
    readLiteClusterUpgrade(app, cluster),
  ]);
  return presentLiteCluster(upgraded.cluster, health ?? undefined, upgraded, actorOf(caller));
}
