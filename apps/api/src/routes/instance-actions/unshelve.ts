import { gpuQuotaExceeded, listServerGpus, requestedGpus } from '@gateway/gpu';
import { type ServerRecord, withMissingFields } from '@gateway/openstack';
import type { RequestContext } from '../../pipeline/request-context.ts';

/**
 * Sends the unshelving of a server. A shelved server has released its GPUs, so it gets them only within the
 * GPU quota of its project, like a new server.
 *
 * @throws 409 `quota_exceeded`
 */
export async function sendUnshelve({ app, openstack }: RequestContext, server: ServerRecord): Promise<void> {
  const { compute } = openstack;
  const { gpu } = app.config;
  const { original_name: name, extra_specs = {} } = withMissingFields(server).flavor;
  const requested = requestedGpus([{ flavor: { name, extra_specs }, count: 1 }], gpu);
  const send = () => compute.servers.unshelve(server.id);
  if (Object.keys(requested).length === 0) return send();
  const exceeded = await app.gpuQuotas.whileReserved(
    { id: server.id, projectId: server.tenant_id },
    requested,
    () => listServerGpus(openstack, gpu),
    send,
  );
  if (exceeded !== null) throw gpuQuotaExceeded(exceeded);
}
