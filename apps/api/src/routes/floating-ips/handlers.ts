import type { FloatingIpRecord } from '@gateway/openstack';
import { type FloatingIp, nameFloatingIps, presentFloatingIp } from '@gateway/resources';
import { sourcesOf } from '../../pipeline/cached-list.ts';
import type { RequestContext } from '../../pipeline/request-context.ts';
import { getOwnFloatingIp } from '../../resources/own-records.ts';
import { requireExternal } from '../../resources/visible-network.ts';
import { associateWithInstance, waitUntilDisassociated } from './association.ts';
import type { AssociateBody, CreateFloatingIpBody } from './schemas.ts';

type FloatingIpParams = { fip_id: string };

export async function createFloatingIp(request: RequestContext<unknown, unknown, CreateFloatingIpBody>) {
  const { floating_network_id } = request.body;
  await requireExternal(request, floating_network_id, 'floating_network_id');
  return present(request, await request.openstack.network.floatingIps.create({ floating_network_id }));
}

export async function associate(request: RequestContext<FloatingIpParams, unknown, AssociateBody>) {
  const { fip_id } = request.params;
  return present(request, await associateWithInstance(request, fip_id, request.body.instance_id));
}

/** A floating IP without a port stays as it is. */
export async function disassociate(request: RequestContext<FloatingIpParams>) {
  const floatingIp = await getOwnFloatingIp(request, request.params.fip_id);
  if (floatingIp.port_id === null) return present(request, floatingIp);
  const free = await request.openstack.network.floatingIps.update(floatingIp.id, { port_id: null });
  await waitUntilDisassociated(request, floatingIp);
  return present(request, free);
}

async function present(request: RequestContext, record: FloatingIpRecord): Promise<FloatingIp> {
  const floatingIp = presentFloatingIp(record);
  await nameFloatingIps(sourcesOf(request), [floatingIp]);
  return floatingIp;
}

export async function deleteFloatingIp(request: RequestContext<FloatingIpParams>): Promise<void> {
  const floatingIp = await getOwnFloatingIp(request, request.params.fip_id);
  await request.openstack.network.floatingIps.remove(floatingIp.id);
  await waitUntilDisassociated(request, floatingIp);
}
