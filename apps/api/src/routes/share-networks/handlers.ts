import { notFound } from '@gateway/core';
import { nameShareNetworks, presentShareNetwork, type ShareNetwork } from '@gateway/resources';
import { sourcesOf } from '../../pipeline/cached-list.ts';
import type { RequestContext } from '../../pipeline/request-context.ts';
import { getVisibleSubnet } from '../../resources/visible-network.ts';
import type { CreateShareNetworkBody } from './schemas.ts';

/** The service stores the ids of network and subnet without asking whether they exist. */
export async function createShareNetwork(
  request: RequestContext<unknown, unknown, CreateShareNetworkBody>,
): Promise<ShareNetwork> {
  const { subnet_id, ...wanted } = request.body;
  const subnet = subnet_id === undefined ? null : await getVisibleSubnet(request, subnet_id);
  const created = await request.openstack.sharedFileSystem.shareNetworks.create({
    ...wanted,
    ...(subnet !== null && { neutron_net_id: subnet.network_id, neutron_subnet_id: subnet.id }),
  });
  const row = presentShareNetwork(created);
  await nameShareNetworks(sourcesOf(request), [row]);
  return row;
}

/** @throws 404 also for one of another project, which the service shows to administrators */
export async function deleteShareNetwork({
  caller,
  openstack,
  params: { share_network_id: id },
}: RequestContext<{ share_network_id: string }>): Promise<void> {
  const { shareNetworks } = openstack.sharedFileSystem;
  const { project_id } = await shareNetworks.get(id);
  if (project_id !== caller.identity.projectId) {
    throw notFound('There is no such share network in this project.');
  }
  await shareNetworks.remove(id);
}
