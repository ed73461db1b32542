import {
  type GpuAttributes,
  type GpuQuotaStore,
  gpuQuotaExceeded,
  listAllServerGpus,
  requestedGpus,
} from '@gateway/inventory';
import type { BoundClient } from '@gateway/openstack';
import type { Config } from '@gateway/platform';

/** The part of a saga's context that the reservation of GPUs needs. */
interface GpuContext {
  jobId: string;
  projectId: string;
  config: Pick<Config, 'gpu'>;
  gpuQuotas: GpuQuotaStore;
  owner(): BoundClient;
}

/**
 * Reserves the GPUs of the servers that a job is about to create, until the end of the job. Jobs that would
 * exceed a GPU quota of their project are refused before they create anything.
 *
 * @throws 409 `quota_exceeded`
 */
export async function reserveGpus(
  { jobId, projectId, config, gpuQuotas, owner }: GpuContext,
  servers: readonly { flavor: GpuAttributes; count: number }[],
): Promise<void> {
  const requested = requestedGpus(servers, config.gpu);
  if (Object.keys(requested).length === 0) return;
  const exceeded = await gpuQuotas.reserve({ id: jobId, projectId }, requested, () =>
    listAllServerGpus(owner(), config.gpu),
  );
  if (exceeded !== null) throw gpuQuotaExceeded(exceeded);
}
