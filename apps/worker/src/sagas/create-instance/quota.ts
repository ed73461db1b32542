import { quotaExceeded } from '@gateway/core';
import type { Found } from './look-up.ts';
import type { CreateStepContext, CreationPlan } from './saga.ts';

interface Demand {
  resource: string;
  limit: number;
  inUse: number;
  requested: number;
}

/** The services would refuse later, when half of it is made: what can be seen to go beyond is refused now. */
export function checkQuota(context: CreateStepContext, plan: CreationPlan, found: Found): void {
  const over = demands(context, plan, found).filter(
    ({ limit, inUse, requested }) => limit >= 0 && inUse + requested > limit,
  );
  if (over.length === 0) return;
  const sentences = over.map(
    ({ resource, limit, inUse, requested }) =>
      `${resource}: ${requested} requested, ${inUse} of ${limit} in use`,
  );
  throw quotaExceeded(`The quota of the project is exceeded (${sentences.join('; ')}).`);
}

function demands(
  { config }: CreateStepContext,
  plan: CreationPlan,
  { flavor, computeLimits: compute, storageLimits: storage }: Found,
): Demand[] {
  const isLayered = plan.libraryIds.length > 0;
  const gigabytes = plan.bootVolumeSizeGb + (isLayered ? config.instances.upperVolumeSizeGb : 0);
  return [
    demand('instances', compute.maxTotalInstances, compute.totalInstancesUsed, 1),
    demand('cores', compute.maxTotalCores, compute.totalCoresUsed, flavor.vcpus),
    demand('ram', compute.maxTotalRAMSize, compute.totalRAMUsed, flavor.ram),
    demand('volumes', storage.maxTotalVolumes, storage.totalVolumesUsed, isLayered ? 2 : 1),
    demand('gigabytes', storage.maxTotalVolumeGigabytes, storage.totalGigabytesUsed, gigabytes),
  ];
}

function demand(resource: string, limit: number, inUse: number, requested: number): Demand {
  return { resource, limit, inUse, requested };
}
