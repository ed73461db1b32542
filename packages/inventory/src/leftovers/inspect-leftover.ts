import { type BoundClient, nullIfNotFound, readWholeLists } from '@gateway/openstack';
import { judge, keyOf, type Verdict } from './judge.ts';
import { judgeOptions, type LeftoverSources } from './leftover-sources.ts';
import {
  hasMark,
  type LeftoverType,
  type MarkedResource,
  toMarkedBackup,
  toMarkedFloatingIp,
  toMarkedPort,
  toMarkedSecurityGroup,
  toMarkedServer,
  toMarkedShare,
  toMarkedVolume,
} from './marked-resource.ts';
import { ServersRead } from './servers-read.ts';

export interface InspectedLeftover {
  resource: MarkedResource;
  verdict: Verdict;
}

/**
 * Whether one resource is a leftover now. Makes two calls. Null if it does not exist. Reads the servers after
 * the resource, so that a resource of a creation in progress is not mistaken for a stray.
 */
export async function inspectLeftover(
  sources: LeftoverSources,
  type: LeftoverType,
  id: string,
): Promise<InspectedLeftover | null> {
  const { openstack, owners } = sources;
  const resource = await nullIfNotFound(readMarked(openstack, type, id));
  if (resource === null) return null;
  if (!hasMark(resource)) {
    return { resource, verdict: { kind: 'owned', reason: 'It does not bear the mark of the gateway.' } };
  }
  const jobIds = resource.jobId === null ? [] : [resource.jobId];
  const clusterIds = resource.clusterId === null ? [] : [resource.clusterId];
  const before = await owners.ofJobs(jobIds);
  const servers = new ServersRead();
  const { projectId } = resource;
  const query = { all_tenants: 1, ...(projectId !== '' && { project_id: projectId }) } as const;
  await readWholeLists(() => openstack.compute.servers.listAs((server) => servers.add(server), query));
  const after = await owners.ofJobs(jobIds);
  const { clusters, creationJobIds } = await owners.ofClusters(clusterIds);
  const leftovers = new Map(after.leftovers.map((left) => [keyOf(left), left]));
  const known = { before, after, leftovers, clusters, clusterJobIds: creationJobIds, servers };
  return { resource, verdict: judge(resource, known, judgeOptions(sources)) };
}

/** @throws 404 */
async function readMarked(openstack: BoundClient, type: LeftoverType, id: string): Promise<MarkedResource> {
  const { blockStorage, compute, network } = openstack;
  switch (type) {
    case 'server':
      return toMarkedServer(await compute.servers.get(id));
    case 'volume':
      return toMarkedVolume(await blockStorage.volumes.get(id));
    case 'backup':
      return toMarkedBackup(await blockStorage.backups.get(id));
    case 'share':
      return toMarkedShare(await openstack.sharedFileSystem.shares.get(id));
    case 'port':
      return toMarkedPort(await network.ports.get(id));
    case 'floating_ip':
      return toMarkedFloatingIp(await network.floatingIps.get(id));
    case 'security_group':
      return toMarkedSecurityGroup(await network.securityGroups.get(id));
  }
}
