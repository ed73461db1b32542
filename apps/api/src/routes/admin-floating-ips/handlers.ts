import {
  allProjectNames,
  type FloatingIp,
  networkNames,
  presentFloatingIp,
  withNames,
} from '@gateway/resources';
import { sourcesOf } from '../../pipeline/cached-list.ts';
import type { RequestContext } from '../../pipeline/request-context.ts';
import { changingListsOf } from '../../resources/changing-lists.ts';
import { checkExternal } from '../../resources/visible-network.ts';
import { waitUntilDisassociated } from '../floating-ips/association.ts';
import type { CreateFloatingIpBody } from '../floating-ips/schemas.ts';

export async function createFloatingIp(
  request: RequestContext<unknown, unknown, CreateFloatingIpBody>,
): Promise<FloatingIp> {
  const { body, openstack } = request;
  const { networks, floatingIps } = openstack.network;
  const { floating_network_id } = body;
  checkExternal(await networks.get(floating_network_id), 'floating_network_id');
  const created = presentFloatingIp(await floatingIps.create({ floating_network_id }));
  return withNames(sourcesOf(request), created, {
    floating_network_id: networkNames.cloud,
    project_id: allProjectNames,
  });
}

export async function deleteFloatingIp(request: RequestContext<{ fip_id: string }>): Promise<void> {
  const { floatingIps } = request.openstack.network;
  const floatingIp = await floatingIps.get(request.params.fip_id);
  const owner = { projectId: floatingIp.project_id };
  await changingListsOf(request, owner, ['floating_ip', 'instance'], async () => {
    await floatingIps.remove(floatingIp.id);
    await waitUntilDisassociated(request, floatingIp);
  });
}
