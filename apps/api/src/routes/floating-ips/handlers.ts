import { presentFloatingIp } from '@gateway/views';
import type { RequestContext } from '../../pipeline/request-context.ts';
import { getOwnFloatingIp } from '../../resources/own-floating-ip.ts';
import { requireExternal } from '../../resources/visible-network.ts';
import { associateWithInstance, waitUntilDisassociated } from './association.ts';
import type { AssociateBody, CreateFloatingIpBody } from './schemas.ts';

type FloatingIpParams = { fip_id: string };

export async function createFloatingIp(request: RequestContext<unknown, unknown, CreateFloatingIpBody>) {
  const { floating_network_id } = request.body;
  await requireExternal(request, floating_network_id, 'floating_network_id');
  return presentFloatingIp(await request.openstack.network.floatingIps.create({ floating_network_id }));
}

export async function associate(request: RequestContext<FloatingIpParams, unknown, AssociateBody>) {
  return presentFloatingIp(
    await associateWithInstance(request, request.params.fip_id, request.body.instance_id),
  );
}

/** A floating IP without a port stays as it is. */
export async function disassociate(request: RequestContext<FloatingIpParams>) {
  const floatingIp = await getOwnFloatingIp(request, request.params.fip_id);
  if (floatingIp.port_id === null) return presentFloatingIp(floatingIp);
  const free = await request.openstack.network.floatingIps.update(floatingIp.id, { port_id: null });
  await waitUntilDisassociated(request, floatingIp);
  return presentFloatingIp(free);
}

export async function deleteFloatingIp(request: RequestContext<FloatingIpParams>): Promise<void> {
  const floatingIp = await getOwnFloatingIp(request, request.params.fip_id);
  await request.openstack.network.floatingIps.remove(floatingIp.id);
  await waitUntilDisassociated(request, floatingIp);
}
