import type { GpuConfig } from '@gateway/config';
import { type GpuDevice, gpuDeviceOf } from '@gateway/gpu';
import { type ProviderSummary, UpstreamError } from '@gateway/openstack';
import { CachedList } from './cached-list.ts';
import { capByQuota, readOwnGpuQuotas } from './gpu-quotas.ts';

/** The GPUs of a type in the whole cloud. */
export interface GpuTypeTotals extends GpuDevice {
  total: number;
  used: number;
}

export interface GpuAvailability {
  /** In descending order of their totals. */
  gpu_types: (GpuTypeTotals & {
    /** The number of unused GPUs that the project may still use. */
    available: number;
  })[];
  summary: { total_gpus: number; used_gpus: number; available_gpus: number };
}

/**
 * Only administrators may read the hosts of a cloud, so the gateway's own user reads them,
 * once for all projects.
 */
const gpuTypeList = new CachedList<GpuTypeTotals[]>({
  name: 'gpuTypes',
  varyBy: 'nothing',
  dependsOn: ['instance'],
  lifetime: 'limitsSeconds',
  async load({ config, serviceUser }) {
    const service = await serviceUser();
    if (service === null) return [];
    try {
      return countTypes(await service.placement.providers.summaries(), config.gpu.devices);
    } catch (error) {
      if (error instanceof UpstreamError && error.upstreamStatus === FORBIDDEN) return [];
      throw error;
    }
  },
});

const FORBIDDEN = 403;

/** Without GPUs the response is an empty object. */
export const gpuAvailability = new CachedList<Partial<GpuAvailability>>({
  name: 'gpuAvailability',
  varyBy: 'project',
  dependsOn: ['instance', 'quota'],
  lifetime: 'limitsSeconds',
  async load(sources) {
    const [types, quotas] = await Promise.all([gpuTypeList.read(sources), readOwnGpuQuotas(sources)]);
    if (types.length === 0) return {};
    const gpu_types = types.map((type) => ({
      ...type,
      available: capByQuota(quotas, type.device_name, Math.max(0, type.total - type.used)),
    }));
    const sum = (value: (type: GpuAvailability['gpu_types'][number]) => number) =>
      gpu_types.reduce((total, type) => total + value(type), 0);
    return {
      gpu_types,
      summary: {
        total_gpus: sum(({ total }) => total),
        used_gpus: sum(({ used }) => used),
        available_gpus: sum(({ available }) => available),
      },
    };
  },
});

function countTypes(
  providers: ReadonlyMap<string, ProviderSummary>,
  devices: GpuConfig['devices'],
): GpuTypeTotals[] {
  const types = new Map<string, GpuTypeTotals>();
  for (const { resources } of providers.values()) {
    for (const [resourceClass, { capacity, used }] of Object.entries(resources)) {
      const device = gpuDeviceOf(resourceClass, devices);
      if (device === null || capacity === 0) continue;
      const { device_name, vendor } = device;
      const { total, used: usedBefore } = types.get(device_name) ?? { total: 0, used: 0 };
      types.set(device_name, { device_name, vendor, total: total + capacity, used: usedBefore + used });
    }
  }
  return [...types.values()].sort((a, b) => b.total - a.total || (a.device_name < b.device_name ? -1 : 1));
}
