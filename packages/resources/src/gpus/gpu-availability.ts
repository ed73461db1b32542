import { type GpuDevice, gpuDeviceOf, gpuTypeKey } from '@gateway/inventory';
import { type BoundClient, MissingServiceError, nullIfNotFound, UpstreamError } from '@gateway/openstack';
import type { GpuConfig } from '@gateway/platform';
import { CachedList } from '../lists/cached-list.ts';
import { capByQuota, readOwnGpuQuotas } from '../quotas/gpu-quotas.ts';
import type { GpuAvailability } from './gpu-availability-shape.ts';
import { forEachGpuProvider } from './gpu-providers.ts';

/** GPUs of one type, of which those that are neither in use nor available to anyone do not count. */
interface UsableGpus extends GpuDevice {
  used: number;
  available: number;
}

/**
 * Only administrators may read the hosts of a cloud, so the gateway's own user reads them,
 * once for all projects.
 */
export const gpuTypeList = new CachedList<UsableGpus[]>({
  name: 'gpuTypes',
  varyBy: 'nothing',
  dependsOn: ['instance', 'hypervisor'],
  lifetime: 'limitsSeconds',
  async load({ config, onIncomplete, serviceUser }) {
    const service = await serviceUser();
    if (service === null) return [];
    try {
      return await countTypes(service, config.gpu.devices, onIncomplete);
    } catch (error) {
      const isForbidden = error instanceof UpstreamError && error.upstreamStatus === FORBIDDEN;
      if (isForbidden || error instanceof MissingServiceError) return [];
      throw error;
    }
  },
});

const FORBIDDEN = 403;

/** Without GPUs the response is an empty object. */
export const gpuAvailability = new CachedList<Partial<GpuAvailability>>({
  name: 'gpuAvailability',
  varyBy: 'project',
  dependsOn: ['instance', 'quota', 'hypervisor'],
  lifetime: 'limitsSeconds',
  async load(sources) {
    const [types, quotas] = await Promise.all([
      gpuTypeList.read(sources, sources.refresh),
      readOwnGpuQuotas(sources),
    ]);
    if (types.length === 0) return {};
    const gpu_types = types
      .map(({ available: unused, ...type }) => {
        const available = capByQuota(quotas, type.device_name, unused);
        return { ...type, total: type.used + available, available };
      })
      .sort((a, b) => b.total - a.total || (a.device_name < b.device_name ? -1 : 1));
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

/** A host that is full, disabled or down has GPUs in use, but none that is available. */
async function countTypes(
  service: BoundClient,
  devices: GpuConfig['devices'],
  onIncomplete: () => void,
): Promise<UsableGpus[]> {
  const types = new Map<string, UsableGpus>();
  await forEachGpuProvider(service, devices, onIncomplete, async ({ provider, takesInstances, summary }) => {
    const resources = summary?.resources ?? (await readUsed(service, provider.uuid));
    for (const [resourceClass, { capacity, used }] of Object.entries(resources)) {
      const device = gpuDeviceOf(resourceClass, devices, provider.name);
      if (device === null || (capacity === 0 && used === 0)) continue;
      const { device_name, vendor } = device;
      const key = gpuTypeKey(device_name);
      const before = types.get(key) ?? { device_name, vendor, used: 0, available: 0 };
      const available = takesInstances ? Math.max(0, capacity - used) : 0;
      types.set(key, { ...before, used: before.used + used, available: before.available + available });
    }
  });
  return [...types.values()];
}

async function readUsed({ placement }: BoundClient, id: string) {
  // The provider may have been removed since the list was read.
  const usages = (await nullIfNotFound(placement.providers.usages(id))) ?? {};
  return Object.fromEntries(Object.entries(usages).map(([name, used]) => [name, { capacity: used, used }]));
}
