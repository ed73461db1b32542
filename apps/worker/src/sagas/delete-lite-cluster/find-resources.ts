import {
  CLOCK_TOLERANCE_MS,
  CLUSTER_METADATA_KEY,
  isRestored,
  jobDescription,
  toMilliseconds,
} from '@gateway/core';
import {
  encryptionKeyName,
  type LiteCluster,
  nodeNamePattern,
  pluginsUseCredential,
  serverNodeName,
} from '@gateway/lite';
import { attachmentsOf, knownMarks, type VolumeRecord } from '@gateway/openstack';
import { findClusterCredentials } from '../lite-clusters/credentials.ts';
import { pluginsUseKey } from '../lite-clusters/plugins.ts';
import type { Searches } from '../resources/searches.ts';
import { clusterOf, type DeleteLiteClusterStepContext, type LiteClusterResources } from './saga.ts';

/**
 * All resources of the cluster: those in the record, and those with a mark of the cluster or of its creation.
 * A cancelled creation or scaling may have left resources that are in no record. What cannot be searched for
 * hides nothing else.
 */
export async function findResources(
  context: DeleteLiteClusterStepContext,
  searches: Searches,
): Promise<LiteClusterResources> {
  const cluster = clusterOf(context);
  const vms = await searches.of('server', () => findVms(context, cluster), vmsOf(cluster, [], []));
  const vmIds = [...vms.agentVmIds, ...vms.serverVmIds];
  const { agents, securityGroupId } = cluster;
  const [volumeIds, addresses, securityGroupIds, credentials, keyIds] = await Promise.all([
    searches.of(
      'volume',
      () => findVolumes(context, { searches, cluster, vmIds }),
      agents.map(({ volumeId }) => volumeId),
    ),
    findAddresses(context, { searches, cluster, vmIds }),
    searches.of('security_group', () => findSecurityGroups(context, cluster), recorded(securityGroupId)),
    searches.of(
      'application_credential',
      () => credentialsOf(context, cluster),
      cluster.credential === null ? [] : [cluster.credential],
    ),
    searches.of('secret', () => keysOf(context, cluster), []),
  ]);
  return { ...vms, volumeIds, ...addresses, securityGroupIds, credentials, keyIds };
}

type ClusterVms = Pick<LiteClusterResources, 'agentVmIds' | 'serverVmIds'>;

async function findVms(
  { projectId, remover }: DeleteLiteClusterStepContext,
  cluster: LiteCluster,
): Promise<ClusterVms> {
  const servers = await remover().compute.servers.list({ name: nodeNamePattern(cluster) });
  const marked = servers.filter(
    (server) =>
      server.tenant_id === projectId && knownMarks('compute', server)[CLUSTER_METADATA_KEY] === cluster.id,
  );
  const isControlNode = ({ id, name }: (typeof marked)[number]) =>
    id === cluster.serverVmId || name === serverNodeName(cluster);
  return vmsOf(cluster, idsOf(marked.filter(not(isControlNode))), idsOf(marked.filter(isControlNode)));
}

/** The machines in the record, and others that were found. */
function vmsOf(
  { agents, serverVmId }: LiteCluster,
  agentVmIds: readonly string[],
  serverVmIds: readonly string[],
): ClusterVms {
  return {
    agentVmIds: unique([...agents.map(({ vmId }) => vmId), ...agentVmIds]),
    serverVmIds: unique([...recorded(serverVmId), ...serverVmIds]),
  };
}

const UNCERTAIN =
  'The service does not say when it was created, or what it is attached to: it may have been restored from a backup, which copies the mark.';

async function findVolumes(
  context: DeleteLiteClusterStepContext,
  { searches, cluster, vmIds }: ResourceSearch,
): Promise<string[]> {
  const { volumes } = context.remover().blockStorage;
  const isRecorded = (id: string) => cluster.agents.some(({ volumeId }) => volumeId === id);
  const found = await volumes.list({ metadata: JSON.stringify({ [CLUSTER_METADATA_KEY]: cluster.id }) });
  const marked = found.filter(
    (volume) =>
      (volume['os-vol-tenant-attr:tenant_id'] ?? context.projectId) === context.projectId &&
      knownMarks('blockStorage', volume)[CLUSTER_METADATA_KEY] === cluster.id &&
      !isRestored(volume),
  );
  const own = marked.filter((volume) => {
    const isOwn = isRecorded(volume.id) || isOfNodes(context, volume, vmIds);
    if (isOwn === null) searches.leave({ type: 'volume', id: volume.id, reason: UNCERTAIN });
    return isOwn === true;
  });
  return unique([...cluster.agents.map(({ volumeId }) => volumeId), ...idsOf(own)]);
}

/**
 * Whether a volume with the cluster's mark is a boot volume of its nodes; null if that is unknown. Services
 * that do not say what was restored from a backup copy the mark all the same, and such volumes belong to the
 * user who restored them: these are attached to other servers, or were created before or after the cluster.
 * The job that scaled the cluster sweeps a later volume that lost its node.
 */
function isOfNodes(
  { config, state }: DeleteLiteClusterStepContext,
  volume: VolumeRecord,
  vmIds: readonly string[],
): boolean | null {
  const attachments = attachmentsOf(volume);
  if (attachments === null) return null;
  const clusterMs = state.cluster?.createdAt ?? 0;
  const createdAt = toMilliseconds(volume.created_at);
  if (createdAt !== null && createdAt < clusterMs - CLOCK_TOLERANCE_MS) return false;
  if (attachments.length > 0) {
    return attachments.every(({ server_id }) => server_id !== null && vmIds.includes(server_id));
  }
  const { liteCallbackSeconds, serverSeconds, volumeSeconds } = config.timeLimits;
  const creationMs = (liteCallbackSeconds + 2 * (serverSeconds + volumeSeconds)) * 1000;
  return createdAt === null ? null : createdAt <= clusterMs + creationMs;
}

interface ResourceSearch {
  searches: Searches;
  cluster: LiteCluster;
  vmIds: readonly string[];
}

/** Floating IPs that users have associated with a node are kept. */
async function findAddresses(
  { projectId, remover }: DeleteLiteClusterStepContext,
  { searches, cluster, vmIds }: ResourceSearch,
): Promise<Pick<LiteClusterResources, 'floatingIpIds' | 'portIds'>> {
  const { floatingIps, ports } = remover().network;
  const description = jobDescription(cluster.creationJobId);
  const [addresses, marked] = await Promise.all([
    searches.of('floating_ip', () => floatingIps.list({ description }), []),
    searches.of('port', () => ports.list({ description }), []),
  ]);
  const own = marked.filter(
    ({ description: mark, device_id, project_id }) =>
      mark === description &&
      project_id === projectId &&
      (device_id === '' || (device_id !== null && vmIds.includes(device_id))),
  );
  const isOwnAddress = ({ description: mark, project_id, port_id }: (typeof addresses)[number]) =>
    mark === description &&
    project_id === projectId &&
    (port_id === null || own.some(({ id }) => id === port_id));
  return { floatingIpIds: idsOf(addresses.filter(isOwnAddress)), portIds: idsOf(own) };
}

async function findSecurityGroups(
  { projectId, remover }: DeleteLiteClusterStepContext,
  { creationJobId, securityGroupId }: LiteCluster,
): Promise<string[]> {
  const groups = await remover().network.securityGroups.list({ project_id: projectId });
  const marked = groups.filter(
    ({ description, project_id }) =>
      description === jobDescription(creationJobId) && project_id === projectId,
  );
  return unique([...recorded(securityGroupId), ...idsOf(marked)]);
}

/**
 * The credential in the record, and others with the name of the cluster: a store that was set back does not
 * know the one that has replaced it since, which may be that of the user who deletes the cluster.
 */
async function credentialsOf(
  context: DeleteLiteClusterStepContext,
  cluster: LiteCluster,
): Promise<LiteClusterResources['credentials']> {
  const { credential, plugins, userId } = cluster;
  const known = credential === null ? [] : [credential];
  if (!pluginsUseCredential(plugins)) return known;
  const userIds = unique([credential?.userId ?? userId, ...recorded(context.requesterId)]);
  const found = await Promise.all(userIds.map((id) => findClusterCredentials(context, cluster, id)));
  return [...known, ...found.flat().filter(({ id }) => id !== credential?.id)];
}

async function keysOf(
  { ownerRemover }: DeleteLiteClusterStepContext,
  cluster: LiteCluster,
): Promise<string[]> {
  const { keyId, plugins } = cluster;
  if (keyId !== null) return [keyId];
  if (!pluginsUseKey(plugins)) return [];
  return ownerRemover().keyManager.secrets.listByName(encryptionKeyName(cluster));
}

function recorded(id: string | null): string[] {
  return id === null ? [] : [id];
}

function idsOf(records: readonly { id: string }[]): string[] {
  return records.map(({ id }) => id);
}

function unique(ids: readonly string[]): string[] {
  return [...new Set(ids)];
}

function not<T>(test: (value: T) => boolean): (value: T) => boolean {
  return (value) => !test(value);
}
