import type { FoundForInstance, InstanceCreation } from '@gateway/jobs';
import type { CreationContext } from './creation-context.ts';
import type { QuotaDemand } from './project-quotas.ts';

/** What is known of an instance before anything is created. */
interface PlannedInstance extends Pick<FoundForInstance, 'bootVolumeSizeGb' | 'flavor' | 'nics'> {
  libraryIds: readonly string[];
  strategy: InstanceCreation['strategy'];
  hasFloatingIp: boolean;
}

/** What a creation uses of the project's quotas. */
export function instanceQuotaDemand(
  { config, input }: Pick<CreationContext<Pick<InstanceCreation, 'newVolumes'>>, 'config' | 'input'>,
  plan: PlannedInstance,
): QuotaDemand {
  const { upperVolumeSizeGb, dynamicShareSizeGb } = config.instances;
  const isLayered = plan.libraryIds.length > 0;
  const isDynamic = isLayered && plan.strategy === 'dynamic';
  const volumeSizesGb = [
    plan.bootVolumeSizeGb,
    ...(isLayered ? [upperVolumeSizeGb] : []),
    ...input.newVolumes.map(({ sizeGb }) => sizeGb),
  ];
  return {
    instances: 1,
    cores: plan.flavor.vcpus,
    ram: plan.flavor.ram,
    volumes: volumeSizesGb.length,
    gigabytes: volumeSizesGb.reduce((sum, sizeGb) => sum + sizeGb, 0),
    shares: isDynamic ? 1 : 0,
    'share gigabytes': isDynamic ? dynamicShareSizeGb : 0,
    ports: plan.nics.length === 0 ? 1 : plan.nics.filter(({ portId }) => portId === null).length,
    'floating IPs': plan.hasFloatingIp ? 1 : 0,
  };
}
