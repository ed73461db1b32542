import type { FlavorRecord } from '@gateway/openstack';
import type { QuotaDemand } from '../resources/quotas.ts';
import type { CreateStepContext, CreationPlan } from './saga.ts';

/** What a creation uses of the project's quotas. */
export function quotaDemandOf(
  { config, input }: Pick<CreateStepContext, 'config' | 'input'>,
  plan: CreationPlan,
  flavor: FlavorRecord,
): QuotaDemand {
  const { upperVolumeSizeGb, dynamicShareSizeGb } = config.instances;
  const isLayered = plan.libraryIds.length > 0;
  const isDynamic = plan.strategy === 'dynamic';
  const volumeSizesGb = [
    plan.bootVolumeSizeGb,
    ...(isLayered ? [upperVolumeSizeGb] : []),
    ...input.newVolumes.map(({ sizeGb }) => sizeGb),
  ];
  return {
    instances: 1,
    cores: flavor.vcpus,
    ram: flavor.ram,
    volumes: volumeSizesGb.length,
    gigabytes: volumeSizesGb.reduce((sum, sizeGb) => sum + sizeGb, 0),
    shares: isDynamic ? 1 : 0,
    'share gigabytes': isDynamic ? dynamicShareSizeGb : 0,
    ports: (plan.nics ?? [{ portId: null }]).filter(({ portId }) => portId === null).length,
    'floating IPs': plan.externalNetworkId === null ? 0 : 1,
  };
}
