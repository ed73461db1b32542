import {
  hasMark,
  isLeftoverType,
  judge,
  judgeOptions,
  keyOf,
  LEFTOVER_TYPES,
  type LeftoverType,
  leftoverKind,
  type MarkedResource,
  type Owners,
  ServersRead,
} from '@gateway/inventory';
import type { JobLeftover } from '@gateway/jobs';
import type { ServiceName } from '@gateway/platform';
import { allProjectNames } from '../identity/projects.ts';
import { CachedList, type ListSources, type LoadSources } from '../lists/cached-list.ts';
import { DashboardParts } from '../lists/dashboard-parts.ts';
import { isOffered } from '../lists/is-offered.ts';
import { addNames } from '../lists/names.ts';
import type { Leftovers } from './leftovers-shape.ts';

/** A resource that a job could not remove, or that has the gateway's mark and no owner. */
type LeftoverRow = Leftovers['items'][number];

const MAX_ROWS = 1000;
const EVERYWHERE = { all_tenants: 1 } as const;

/**
 * The leftovers of all projects. Reads seven lists, then the servers, then the records of jobs and clusters
 * once more, so that a later record explains each resource that is being created or deleted meanwhile.
 */
export const leftoverList = new CachedList<Leftovers>({
  name: 'leftovers',
  varyBy: 'nothing',
  dependsOn: [...LEFTOVER_TYPES.map((type) => leftoverKind(type).resource), 'lite_cluster', 'project'],
  lifetime: 'adminSeconds',
  load: readLeftovers,
});

async function readLeftovers(sources: LoadSources): Promise<Leftovers> {
  const { openstack, owners } = sources;
  const known = new Set((await owners.leftovers()).map(keyOf));
  const isWanted = (resource: MarkedResource) => hasMark(resource) || known.has(keyOf(resource));
  const { found, readTypes, unavailable } = await readResources(sources, isWanted);
  const before = await owners.ofJobs(jobIdsOf(found.filter(({ use }) => use === null)));
  const servers = new ServersRead((id) => known.has(keyOf({ type: 'server', id })));
  await openstack.compute.servers.listAs((server) => servers.add(server), EVERYWHERE);
  const after = await owners.ofJobs(jobIdsOf(servers.marked));
  const resources = [...found, ...servers.marked];
  const clusterIds = resources.flatMap(({ clusterId }) => clusterId ?? []);
  const { clusters, creationJobIds } = await owners.ofClusters(clusterIds);
  const leftovers = new Map(after.leftovers.map((left) => [keyOf(left), left]));
  const state = { before, after, leftovers, clusters, clusterJobIds: creationJobIds, servers };
  const rows = resources.flatMap((resource) => rowOf(resource, state, sources) ?? []);
  const seen = new Set(resources.map(keyOf));
  // Resources that existed before the lists were read, and are in none of them, are deleted.
  const isGone = (left: JobLeftover) =>
    known.has(keyOf(left)) && isLeftoverType(left.type) && readTypes.has(left.type);
  const unseen = after.leftovers.filter((left) => !seen.has(keyOf(left)) && !isGone(left));
  const all = [...rows, ...unseen.map(presentUnseen)].sort(byAge);
  const items = await addNames(sources, all.slice(0, MAX_ROWS), { project_id: allProjectNames });
  return { items, total: all.length, unavailable };
}

interface ReadResources {
  /** Without servers. */
  found: MarkedResource[];
  readTypes: Set<LeftoverType>;
  unavailable: ServiceName[];
}

async function readResources(
  { config, onIncomplete, openstack }: LoadSources,
  isWanted: (resource: MarkedResource) => boolean,
): Promise<ReadResources> {
  const parts = new DashboardParts(config.timeLimits.dashboardPartSeconds * 1000, onIncomplete);
  const found: MarkedResource[] = [];
  const readTypes = new Set<LeftoverType>(['server']);
  // Keeps only the wanted resources of each page.
  const keep = (resource: MarkedResource) => void (isWanted(resource) && found.push(resource));
  const read = async (type: LeftoverType) => {
    const { list, service } = leftoverKind(type);
    if (!(await isOffered(openstack, config.services, service))) return;
    if ((await parts.read(service, async () => list(openstack, keep))) !== null) readTypes.add(type);
  };
  await Promise.all(LEFTOVER_TYPES.filter((type) => type !== 'server').map(read));
  // A copy, because a late list may still add to it.
  return { found: [...found], readTypes, unavailable: parts.unavailable };
}

function jobIdsOf(resources: readonly MarkedResource[]): string[] {
  return resources.flatMap(({ jobId }) => jobId ?? []);
}

/** Null for a resource with an owner. */
function rowOf(resource: MarkedResource, owners: Owners, sources: ListSources): LeftoverRow | null {
  const { clusterId, createdAt, id, instanceId, jobId, name, projectId, type } = resource;
  const verdict = hasMark(resource) ? judge(resource, owners, judgeOptions(sources)) : null;
  const left = owners.leftovers.get(keyOf(resource));
  const isStray = verdict?.kind === 'stray';
  if (!isStray && left === undefined) return null;
  return {
    type,
    id,
    name,
    project_id: projectId,
    project_name: null,
    created_at: createdAt,
    job_id: left?.jobId ?? jobId,
    instance_id: instanceId,
    cluster_id: clusterId,
    source: left === undefined ? 'mark' : 'job',
    reason: left?.reason ?? verdict?.reason ?? '',
    is_removable: isStray,
    doubt: isStray ? verdict.doubt : null,
  };
}

/**
 * A resource that a job reports and no list contains: its type has no list, or its service is unavailable.
 */
function presentUnseen({ id, jobId, projectId, reason, type }: JobLeftover): LeftoverRow {
  return {
    type,
    id,
    name: '',
    project_id: projectId,
    project_name: null,
    created_at: null,
    job_id: jobId,
    instance_id: null,
    cluster_id: null,
    source: 'job',
    reason,
    is_removable: false,
    doubt: null,
  };
}

function byAge(a: LeftoverRow, b: LeftoverRow): number {
  return (a.created_at ?? '').localeCompare(b.created_at ?? '') || keyOf(a).localeCompare(keyOf(b));
}
