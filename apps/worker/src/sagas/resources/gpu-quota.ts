import type { Config } from '@gateway/config';
import { quotaExceeded } from '@gateway/core';
import type { GpuQuotaStore } from '@gateway/jobs';
import type { BoundClient, FlavorRecord } from '@gateway/openstack';
import { addGpus, type GpuCounts, gpuTypesOf, listServerGpus } from '@gateway/views';

/** What the reservation of GPUs needs of a saga's context. */
export interface GpuContext {
  jobId: string;
  projectId: string;
  config: Pick<Config, 'gpu'>;
  gpuQuotas: GpuQuotaStore;
  owner(): BoundClient;
}

/**
 * Reserves the GPUs of the servers that a job is about to create, until the end of the job. Jobs that would exceed a GPU
 * quota of their project are refused before they create anything.
 *
 * @throws 409 `quota_exceeded`, naming each type with its limit, in-use and requested values
 */
export async function reserveGpus(
  { jobId, projectId, config, gpuQuotas, owner }: GpuContext,
  servers: readonly { flavor: FlavorRecord; count: number }[],
): Promise<void> {
  const requested: GpuCounts = {};
  for (const { flavor, count } of servers) {
    for (const gpus of Object.values(gpuTypesOf(flavor, config.gpu.devices))) {
      if (count > 0) addGpus(requested, { type: gpus.type, count: gpus.count * count });
    }
  }
  if (Object.keys(requested).length === 0) return;
  const exceeded = await gpuQuotas.reserve({ id: jobId, projectId }, requested, () =>
    listServerGpus(owner(), config.gpu),
  );
  if (exceeded === null) return;
  const parts = exceeded
    .map(
      ({ type, limit, inUse, requested: wanted }) =>
        `${type}: ${wanted} requested, ${inUse} of ${limit} in use`,
    )
    .sort();
  throw quotaExceeded(`The GPU quota of the project is exceeded (${parts.join('; ')}).`);
}
