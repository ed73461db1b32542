import { nullIfNotFound, readWholeLists } from '@gateway/openstack';
import { hasMark, type LeftoverType, leftoverKind, type MarkedResource } from '../kinds/index.ts';
import { judge, keyOf, type Verdict } from './judge.ts';
import { judgeOptions, type LeftoverSources } from './leftover-sources.ts';
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
  const resource = await nullIfNotFound(leftoverKind(type).get(openstack, id));
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
