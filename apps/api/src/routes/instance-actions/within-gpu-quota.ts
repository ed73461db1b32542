import {
  type GpuAttributes,
  gpuQuotaExceeded,
  gpuTypesOf,
  largerGpus,
  listAllServerGpus,
  requestedGpus,
} from '@gateway/inventory';
import type { ServerRecord } from '@gateway/openstack';
import type { RequestContext } from '../../pipeline/request-context.ts';

/**
 * Sends a request after which the server holds the GPUs of this flavor. The server gets them only within the
 * GPU quota of its project, like a new server. While it is being resized, its record shows its old flavor.
 *
 * @throws 409 `quota_exceeded`
 */
export async function sendWithinGpuQuota(
  { app, openstack }: RequestContext,
  server: ServerRecord,
  flavor: GpuAttributes,
  send: () => Promise<void>,
): Promise<void> {
  const { gpu, timeLimits } = app.config;
  const { original_name: name, extra_specs } = server.flavor;
  const requested = requestedGpus([{ flavor, count: 1 }], gpu);
  if (Object.keys(requested).length === 0) return send();
  const exceeded = await app.gpuQuotas.whileReserved(
    { id: server.id, projectId: server.tenant_id },
    requested,
    () => listAllServerGpus(openstack, gpu),
    send,
    {
      // A resize that fails leaves the GPUs of the old flavor.
      gpus: largerGpus(requested, gpuTypesOf({ name, extra_specs }, gpu.devices)),
      seconds: timeLimits.moveSeconds,
    },
  );
  if (exceeded !== null) throw gpuQuotaExceeded(exceeded);
}
