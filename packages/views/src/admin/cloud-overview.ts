import type { ServiceName } from '@gateway/config';
import type { ProviderSummary } from '@gateway/openstack';
import { CachedList } from '../cached-list.ts';
import { DashboardParts } from '../dashboard-parts.ts';
import { countGpuInstances, type InstanceStats, readCountedInstances, statsOf } from './cloud-instances.ts';
import { type Hypervisor, readHypervisors } from './hypervisors.ts';
import { CPU_CLASSES } from './provider-figures.ts';

/** A part is null while its service is unavailable. */
export interface CloudOverview {
  hypervisor_count: number | null;
  running_vms: number | null;
  gpu_instances: number | null;
  containers_count: number | null;
  file_storage_count: number | null;
  instance_stats: InstanceStats | null;
  vcpus: { total: number; allowed: number | null; used: number } | null;
  ram_gb: { total: number; used: number } | null;
  disk_gb: { total: number; used: number } | null;
  unavailable: ServiceName[];
}

/** Reads at most seven lists, concurrently. */
export const cloudOverview = new CachedList<CloudOverview>({
  name: 'cloudOverview',
  varyBy: 'nothing',
  dependsOn: ['instance', 'container', 'file_storage'],
  lifetime: 'adminSeconds',
  isInTransition: ({ unavailable }) => unavailable.length > 0,
  async load({ config, onIncomplete, openstack }) {
    const { services, timeLimits } = config;
    const parts = new DashboardParts(timeLimits.dashboardPartSeconds * 1000);
    const [hypervisors, providers, instances, containers, shares] = await Promise.all([
      parts.read('compute', () => readHypervisors(openstack, onIncomplete)),
      parts.read('placement', () => openstack.placement.providers.summaries()),
      parts.read('compute', () => readCountedInstances(openstack)),
      services.container && openstack.has('container')
        ? parts.read('container', () => openstack.container.containers.listOfAll())
        : [],
      services.sharedFs && openstack.has('sharedFileSystem')
        ? parts.read('sharedFileSystem', () => openstack.sharedFileSystem.shares.countAll())
        : 0,
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
        allowed: providers && sum(hypervisors, (hypervisor) => allowedVcpus(hypervisor, providers)),
        used: sum(hypervisors, ({ vcpus_used }) => vcpus_used),
      },
      ram_gb: hypervisors && {
        total: inGb(sum(hypervisors, ({ memory_size_mb }) => memory_size_mb)),
        used: inGb(sum(hypervisors, ({ memory_used_mb }) => memory_used_mb)),
      },
      disk_gb: hypervisors && {
        total: sum(hypervisors, ({ local_disk_gb }) => local_disk_gb),
        used: sum(hypervisors, ({ local_disk_used_gb }) => local_disk_used_gb),
      },
      unavailable: parts.unavailable,
    };
  },
});

/** The placement service omits full hosts: all that such a host may allocate is in use. */
function allowedVcpus(
  { id, vcpus_used }: Hypervisor,
  providers: ReadonlyMap<string, ProviderSummary>,
): number {
  const resources = providers.get(id)?.resources;
  if (resources === undefined) return vcpus_used;
  return sum(CPU_CLASSES, (name) => resources[name]?.capacity ?? 0);
}

export function sum<T>(rows: readonly T[], value: (row: T) => number): number {
  return rows.reduce((total, row) => total + value(row), 0);
}

/** Rounded to two decimals. */
function inGb(mb: number): number {
  return Math.round((mb / 1024) * 100) / 100;
}
