import type { BlockStorageLimits, ComputeLimits } from '@gateway/openstack';
import { countInstances } from '../instances/instance-counts.ts';
import { instanceList } from '../instances/instance-list.ts';
import { CachedList, hasRowsInTransition } from '../lists/cached-list.ts';
import { DashboardParts } from '../lists/dashboard-parts.ts';
import { blockStorageLimitsList, computeLimitsList } from '../quotas/limits.ts';
import type { DashboardSummary } from './dashboard-summary-shape.ts';

/** Consists of lists that the log-in has already read into the cache. */
export const dashboardSummary = new CachedList<DashboardSummary>({
  name: 'dashboardSummary',
  varyBy: 'roles',
  dependsOn: ['instance', 'image', 'flavor', 'volume', 'snapshot', 'backup', 'quota', 'user', 'project'],
  lifetime: 'limitsSeconds',
  async load(sources) {
    const parts = new DashboardParts<DashboardSummary['unavailable'][number]>(
      sources.config.timeLimits.dashboardPartSeconds * 1000,
      sources.onIncomplete,
    );
    const [instances, compute, storage] = await Promise.all([
      parts.read('compute', () => instanceList.read(sources, sources.refresh)),
      parts.read('compute', () => computeLimitsList.read(sources, sources.refresh)),
      parts.read('blockStorage', () => blockStorageLimitsList.read(sources, sources.refresh)),
    ]);
    if (instances !== null && hasRowsInTransition(instances)) sources.onTransition();
    return {
      instances: instances && countInstances(instances),
      compute: compute && presentComputeLimits(compute),
      storage: storage && presentBlockStorageLimits(storage),
      gpu_used: instances?.reduce((sum, { gpu_count }) => sum + gpu_count, 0) ?? null,
      unavailable: parts.unavailable,
    };
  },
});

function presentComputeLimits(limits: ComputeLimits): NonNullable<DashboardSummary['compute']> {
  return {
    instances: { limit: limits.maxTotalInstances, in_use: limits.totalInstancesUsed },
    cores: { limit: limits.maxTotalCores, in_use: limits.totalCoresUsed },
    ram: { limit: limits.maxTotalRAMSize, in_use: limits.totalRAMUsed },
  };
}

function presentBlockStorageLimits(limits: BlockStorageLimits): NonNullable<DashboardSummary['storage']> {
  return {
    volumes: { limit: limits.maxTotalVolumes, in_use: limits.totalVolumesUsed },
    gigabytes: { limit: limits.maxTotalVolumeGigabytes, in_use: limits.totalGigabytesUsed },
  };
}
