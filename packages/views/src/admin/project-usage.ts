import type { BoundClient, ProjectRecord } from '@gateway/openstack';
import pLimit from 'p-limit';
import { CachedList, type LoadSources } from '../cached-list.ts';
import { DashboardParts } from '../dashboard-parts.ts';
import { byName } from '../networks.ts';
import { countGpuInstances, readCountedInstances } from './cloud-instances.ts';
import { sum } from './cloud-overview.ts';
import { blockStorageQuotaList, type ComputeQuota, computeQuotaList } from './project-quotas.ts';

/** Null while the service is unavailable, or for a quota that could not be read in time. */
interface Share {
  used: number | null;
  /** -1 is unlimited. */
  quota: number | null;
}

export interface ProjectUsage {
  project_id: string;
  project_name: string;
  cpu: Share;
  ram_mb: Share;
  instances: Share;
  /** Volumes and snapshots. */
  disk_gb: Share;
  gpu_instances: number | null;
}

const QUOTAS_AT_ONCE = 16;

/**
 * The usage of each project, sorted by name. Reads four lists of the whole cloud, and the quotas of each
 * project that are not cached.
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
  const parts = new DashboardParts(config.timeLimits.dashboardPartSeconds * 1000);
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
  const [projects, instances, sizes] = await Promise.all([
    reading,
    parts.read('compute', async () => groupByProject(await readCountedInstances(openstack))),
    parts.read('blockStorage', async () => groupByProject(await readSizes(openstack))),
    parts.read('compute', () => readQuotas(computeQuotaList, computeQuotas)),
    parts.read('blockStorage', () => readQuotas(blockStorageQuotaList, blockStorageQuotas)),
  ]);
  if (parts.unavailable.length > 0) onIncomplete();
  return projects.toSorted(byName).map((project) => {
    const own = instances && (instances.get(project.id) ?? []);
    const quota = computeQuotas.get(project.id);
    return {
      ...presentProject(project),
      cpu: { used: own && sum(own, ({ vcpus }) => vcpus), quota: quota?.cores ?? null },
      ram_mb: { used: own && sum(own, ({ ram }) => ram), quota: quota?.ram ?? null },
      instances: { used: own?.length ?? null, quota: quota?.instances ?? null },
      disk_gb: {
        used: sizes && sum(sizes.get(project.id) ?? [], ({ size }) => size),
        quota: blockStorageQuotas.get(project.id) ?? null,
      },
      gpu_instances: own && countGpuInstances(own),
    };
  });
}

function presentProject({ id, name }: ProjectRecord) {
  return { project_id: id, project_name: name };
}

function groupByProject<Row extends { project_id: string }>(rows: readonly Row[]): Map<string, Row[]> {
  return Map.groupBy(rows, ({ project_id }) => project_id);
}

/** The sizes of all volumes and snapshots. */
async function readSizes({ blockStorage }: BoundClient) {
  const [volumes, snapshots] = await Promise.all([
    blockStorage.volumes.listAs(
      (volume) => ({ project_id: volume['os-vol-tenant-attr:tenant_id'] ?? '', size: volume.size }),
      { all_tenants: 1 },
    ),
    blockStorage.snapshots.listAs(
      (snapshot) => ({
        project_id: snapshot['os-extended-snapshot-attributes:project_id'] ?? '',
        size: snapshot.size,
      }),
      { all_tenants: 1 },
    ),
  ]);
  return [...volumes, ...snapshots];
}
