import { gpuTypeKey, parseProviderName } from '@gateway/inventory';
import { CachedList } from '../lists/cached-list.ts';
import type { Gpu, GpuHosts } from './gpu-hosts-shape.ts';
import { type HostGpus, readGpuProviders } from './gpu-providers.ts';

type Totals = Pick<GpuHosts['hosts'][number], 'gpu_total' | 'gpu_used'>;

/** GPUs of one type at one host. */
type GpuGroup = GpuHosts['aggregated_hosts'][number]['gpu_groups'][number];

/** The GPUs of the whole cloud by host, for administrators. */
export const gpuHostList = new CachedList<GpuHosts>({
  name: 'gpuHosts',
  varyBy: 'nothing',
  dependsOn: ['instance', 'hypervisor'],
  lifetime: 'namesSeconds',
  load: async ({ config, onIncomplete, openstack }) =>
    presentGpuHosts(await readGpuProviders(openstack, config.gpu.devices, onIncomplete)),
});

function presentGpuHosts(found: readonly HostGpus[]): GpuHosts {
  const byName = new Map<string, Gpu[]>();
  for (const { host, gpus } of found) {
    const name = parseProviderName(host.name).host;
    byName.set(name, [...(byName.get(name) ?? []), ...gpus]);
  }
  const all = found.flatMap(({ gpus }) => gpus);
  const usable = found.flatMap(({ gpus, takesInstances }) => (takesInstances ? gpus : []));
  return {
    hosts: found.map(({ host: { name, uuid }, gpus, takesInstances }) => ({
      name,
      uuid,
      takes_instances: takesInstances,
      gpus,
      ...totalsOf(gpus),
    })),
    aggregated_hosts: [...byName].map(([name, gpus]) => ({
      name,
      gpus,
      gpu_groups: groupsOf(gpus),
      ...totalsOf(gpus),
    })),
    summary: {
      total_hosts: byName.size,
      total_gpus: sum(all, ({ total }) => total),
      used_gpus: sum(all, ({ used }) => used),
      available_gpus: sum(usable, availableOf),
    },
    gpu_types: groupsOf(all).map(({ vendor_name, ...group }) => ({ ...group, vendor: vendor_name })),
  };
}

function availableOf({ allocation_ratio, reserved, total, used }: Gpu): number {
  return Math.max(0, Math.floor((total - reserved) * allocation_ratio) - used);
}

function groupsOf(gpus: readonly Gpu[]): GpuGroup[] {
  const groups = new Map<string, GpuGroup>();
  for (const { device_name, vendor_name, total, used } of gpus) {
    const key = gpuTypeKey(device_name);
    const group = groups.get(key) ?? { device_name, vendor_name, total: 0, used: 0 };
    groups.set(key, { ...group, total: group.total + total, used: group.used + used });
  }
  return [...groups.values()].sort((a, b) => b.total - a.total || (a.device_name < b.device_name ? -1 : 1));
}

function totalsOf(gpus: readonly Gpu[]): Totals {
  return { gpu_total: sum(gpus, ({ total }) => total), gpu_used: sum(gpus, ({ used }) => used) };
}

function sum(gpus: readonly Gpu[], value: (gpu: Gpu) => number): number {
  return gpus.reduce((total, gpu) => total + value(gpu), 0);
}
