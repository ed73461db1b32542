import { type GatewayError, quotaExceeded } from '@gateway/core';
import type { GpuConfig } from '@gateway/platform';
import type { GpuAttributes } from './flavor-gpus.ts';
import { addGpus, type GpuCounts, gpuTypesOf } from './gpu-devices.ts';
import type { ExceededGpus } from './gpu-quota-store.ts';

/** The GPUs that these servers will occupy. */
export function requestedGpus(
  servers: readonly { flavor: GpuAttributes; count: number }[],
  { devices }: GpuConfig,
): GpuCounts {
  const requested: GpuCounts = {};
  for (const { flavor, count } of servers) {
    for (const gpus of Object.values(gpuTypesOf(flavor, devices))) {
      if (count > 0) addGpus(requested, { type: gpus.type, count: gpus.count * count });
    }
  }
  return requested;
}

/** 409 `quota_exceeded`, which names each type with its limit, in-use and requested values. */
export function gpuQuotaExceeded(exceeded: readonly ExceededGpus[]): GatewayError {
  const quotas = exceeded
    .map(({ type, limit, inUse, requested }) => ({ quota: type, requested, in_use: inUse, limit }))
    .sort((a, b) => a.quota.localeCompare(b.quota));
  return quotaExceeded('The GPU quota of the project', quotas);
}
