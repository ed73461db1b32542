import { readHypervisors } from '../hypervisors/hypervisors.ts';
import { diskTotalGb, readSharedDisks } from '../hypervisors/shared-disks.ts';
import { countGpuInstances, readCountedInstances, statsOf } from '../instances/cloud-instances.ts';
import { CachedList } from '../lists/cached-list.ts';
import { DashboardParts } from '../lists/dashboard-parts.ts';
import { isOffered } from '../lists/is-offered.ts';
import type { CloudOverview } from './cloud-overview-shape.ts';

/** Reads at most eight lists concurrently, and one inventory for each full host. */
export const cloudOverview = new CachedList<CloudOverview>({
  name: 'cloudOverview',
  varyBy: 'nothing',
  dependsOn: ['hypervisor', 'instance', 'container', 'file_storage'],
  lifetime: 'adminSeconds',
  async load({ config, onIncomplete, openstack }) {
    const { services, timeLimits } = config;
    const hasContainers = await isOffered(openstack, services, 'container');
    const hasShares = await isOffered(openstack, services, 'sharedFileSystem');
    const parts = new DashboardParts(timeLimits.dashboardPartSeconds * 1000, onIncomplete);
    const listed = parts.read('compute', () => openstack.compute.hypervisors.list());
    const [hypervisors, sharedDisks, instances, containers, shares] = await Promise.all([
      readHypervisors(openstack, listed, parts, onIncomplete),
      parts.read('placement', () => readSharedDisks(openstack)),
      parts.read('compute', () => readCountedInstances(openstack)),
      hasContainers ? parts.read('container', () => openstack.container.containers.listOfAll()) : [],
      hasShares ? parts.read('sharedFileSystem', () => openstack.sharedFileSystem.shares.countAll()) : 0,
    ]);
    return {
      hypervisor_count: hypervisors?.length ?? null,
      running_vms: hypervisors && sum(hypervisors, ({ running_vms }) => running_vms),
      gpu_instances: instances && countGpuInstances(instances),
      containers_count: containers?.length ?? null,
      file_storage_count: shares,
      instance_stats: instances && statsOf(instances),
      vcpus: hypervisors && {
        total: sum(hypervisors, ({ vcpus }) => vcpus),
        allowed: sumOrNull(hypervisors.map(({ vcpus_allowed }) => vcpus_allowed)),
        used: sum(hypervisors, ({ vcpus_used }) => vcpus_used),
      },
      ram_gb: hypervisors && {
        total: inGb(sum(hypervisors, ({ memory_size_mb }) => memory_size_mb)),
        used: inGb(sum(hypervisors, ({ memory_used_mb }) => memory_used_mb)),
      },
      disk_gb: hypervisors && {
        total: diskTotalGb(hypervisors, sharedDisks ?? [], config.instances.disksAreShared),
        used: sum(hypervisors, ({ local_disk_used_gb }) => local_disk_used_gb),
      },
      unavailable: parts.unavailable,
    };
  },
});

/** Null if one of the values is. */
function sumOrNull(values: readonly (number | null)[]): number | null {
  return values.reduce((total, value) => (total === null || value === null ? null : total + value), 0);
}

export function sum<T>(rows: readonly T[], value: (row: T) => number): number {
  return rows.reduce((total, row) => total + value(row), 0);
}

/** Rounded to two decimals. */
function inGb(mb: number): number {
  return Math.round((mb / 1024) * 100) / 100;
}
