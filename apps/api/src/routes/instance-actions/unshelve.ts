import type { ServerRecord } from '@gateway/openstack';
import type { RequestContext } from '../../pipeline/request-context.ts';
import { sendWithinGpuQuota } from './within-gpu-quota.ts';

/** A shelved server has released its GPUs. Throws 409 `quota_exceeded`. */
export async function sendUnshelve(request: RequestContext, server: ServerRecord): Promise<void> {
  const { original_name: name, extra_specs } = server.flavor;
  const send = () => request.openstack.compute.servers.unshelve(server.id);
  await sendWithinGpuQuota(request, server, { name, extra_specs }, send);
}
