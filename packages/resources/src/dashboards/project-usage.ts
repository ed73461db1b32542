import type {
  BlockStorageQuotas,
  BoundClient,
  ComputeQuotas,
  ProjectRecord,
  QuotaUsage,
} from '@gateway/openstack';
import pLimit from 'p-limit';
import {
  type CountedInstance,
  countGpuInstances,
  readCountedInstances,
} from '../instances/cloud-instances.ts';
import { CachedList, type LoadSources } from '../lists/cached-list.ts';
import { DashboardParts } from '../lists/dashboard-parts.ts';
import { byName } from '../networks/networks.ts';
import {
  blockStorageQuotaList,
  type ComputeQuota,
  computeQuotaList,
  nullIfGone,
} from '../quotas/project-quotas.ts';
import { sum } from './cloud-overview.ts';
import type { ProjectUsage } from './cloud-overview-shape.ts';

const QUOTAS_AT_ONCE = 16;

/**
 * The usage of each project, sorted by name. Reads four lists of the whole cloud, the quotas of each
 * project that are not cached, and what the services count for projects with rows that they count by their
 * configuration.
 */
export const projectUsageList = new CachedList<ProjectUsage[]>({
  name: 'projectUsage',
  varyBy: 'nothing',
  dependsOn: ['project', 'instance', 'volume', 'snapshot', 'quota'],
  lifetime: 'adminSeconds',
  load: readProjectUsage,
});

async function readProjectUsage(sources: LoadSources): Promise<ProjectUsage[]> {
  const { config, onIncomplete, openstack, refresh } = sources;
  const parts = new DashboardParts(config.timeLimits.dashboardPartSeconds * 1000, onIncomplete);
  const reading = openstack.identity.projects.list();
  const limit = pLimit(QUOTAS_AT_ONCE);
  // Reading a thousand projects may take longer than a part may. The remaining quotas are
  // cached for the next reader.
  const readQuotas = async <T>(list: CachedList<T>, found: Map<string, T>) =>
    limit.map(await reading, async ({ id }) => {
      const reader = { ...sources.reader, projectId: id };
      found.set(id, await list.read({ ...sources, reader }, refresh));
    });
  const computeQuotas = new Map<string, ComputeQuota | null>();
  const blockStorageQuotas = new Map<string, number | null>();
  const servers = readCountedInstances(openstack).then(groupByProject);
  const sizes = readSizes(openstack).then(groupByProject);
  const readCounts = async <Row, T>(
    groups: ReadonlyMap<string, Row[]>,
    isUnsure: (row: Row) => boolean,
    read: (projectId: string) => Promise<T>,
    counts: Map<string, T | null>,
  ) =>
    limit.map(await reading, async ({ id }) => {
      if (groups.get(id)?.some(isUnsure)) counts.set(id, await nullIfGone(read(id)));
    });
  const { blockStorage, compute } = openstack;
  const computeCounts = new Map<string, ComputeQuotas | null>();
  const sizeCounts = new Map<string, BlockStorageQuotas | null>();
  const [projects, instances, disks] = await Promise.all([
    reading,
    parts.read('compute', () => servers),
    parts.read('blockStorage', () => sizes),
    parts.read('compute', async () =>
      readCounts(await servers, isUnsureInstance, (id) => compute.quotas.get(id), computeCounts),
    ),
    parts.read('blockStorage', async () =>
      readCounts(
        await sizes,
        ({ isUnsure }) => isUnsure,
        (id) => blockStorage.quotas.get(id),
        sizeCounts,
      ),
    ),
    parts.read('compute', () => readQuotas(computeQuotaList, computeQuotas)),
    parts.read('blockStorage', () => readQuotas(blockStorageQuotaList, blockStorageQuotas)),
  ]);
  return projects.toSorted(byName).map((project) => {
    const { id } = project;
    const own = instances && (instances.get(id) ?? []);
    const count = computeCounts.get(id);
    const isUnsure = own?.some(isUnsureInstance);
    const used = (counted: QuotaUsage | undefined, value: (row: CountedInstance) => number) =>
      isUnsure ? (counted?.in_use ?? null) : own && sum(own, value);
    const quota = computeQuotas.get(id);
    const rows = disks && (disks.get(id) ?? []);
    return {
      ...presentProject(project),
      cpu: { used: used(count?.cores, ({ vcpus }) => vcpus), quota: quota?.cores ?? null },
      ram_mb: { used: used(count?.ram, ({ ram }) => ram), quota: quota?.ram ?? null },
      instances: { used: used(count?.instances, () => 1), quota: quota?.instances ?? null },
      disk_gb: {
        used: rows?.some((row) => row.isUnsure)
          ? (sizeCounts.get(id)?.gigabytes.in_use ?? null)
          : rows && sum(rows, ({ size }) => size),
        quota: blockStorageQuotas.get(id) ?? null,
      },
      gpu_instances: own && countGpuInstances(own),
    };
  });
}

/**
 * Whether the compute service counts the instance by its flavor or by what it holds depends on its
 * configuration (`count_usage_from_placement`).
 */
function isUnsureInstance({ status }: CountedInstance): boolean {
  return DIFFERING.has(status);
}

const DIFFERING = new Set(['ERROR', 'MIGRATING', 'RESIZE', 'SHELVED_OFFLOADED', 'VERIFY_RESIZE']);

function presentProject({ id, name }: ProjectRecord) {
  return { project_id: id, project_name: name };
}

function groupByProject<Row extends { project_id: string }>(rows: readonly Row[]): Map<string, Row[]> {
  return Map.groupBy(rows, ({ project_id }) => project_id);
}

/**
 * The sizes of all volumes and snapshots. Whether block storage counts snapshots depends on its configuration
 * (`no_snapshot_gb_quota`), which no response shows.
 */
async function readSizes({ blockStorage }: BoundClient) {
  const [volumes, snapshots] = await Promise.all([
    blockStorage.volumes.listAs(
      (volume) => ({
        project_id: volume['os-vol-tenant-attr:tenant_id'] ?? '',
        size: volume.size,
        isUnsure: false,
      }),
      { all_tenants: 1 },
    ),
    blockStorage.snapshots.listAs(
      (snapshot) => ({
        project_id: snapshot['os-extended-snapshot-attributes:project_id'] ?? '',
        size: snapshot.size,
        isUnsure: true,
      }),
      { all_tenants: 1 },
    ),
  ]);
  return [...volumes, ...snapshots];
}
