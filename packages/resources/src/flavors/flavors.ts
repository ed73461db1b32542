import { countGpus } from '@gateway/inventory';
import type { FlavorRecord } from '@gateway/openstack';
import { CachedList } from '../lists/cached-list.ts';
import type { Flavor } from './flavor-shape.ts';

export function presentFlavor(flavor: FlavorRecord): Flavor {
  const gpuCount = countGpus(flavor);
  return {
    id: flavor.id,
    name: flavor.name,
    vcpus: flavor.vcpus,
    ram: flavor.ram,
    disk: flavor.disk,
    is_public: flavor['os-flavor-access:is_public'],
    extra_specs: flavor.extra_specs,
    is_gpu: gpuCount > 0,
    gpu_count: gpuCount,
  };
}

/** Varies by roles because the compute service also lists disabled flavors for administrators. */
export const flavorList = new CachedList<Flavor[]>({
  name: 'flavors',
  varyBy: 'roles',
  dependsOn: ['flavor'],
  lifetime: 'flavorsSeconds',
  load: async ({ openstack }) => (await openstack.compute.flavors.list()).map(presentFlavor),
});
