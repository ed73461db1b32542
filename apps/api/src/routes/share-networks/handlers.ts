import type { ShareNetworkRecord } from '@gateway/openstack';
import { nameShareNetworks, presentShareNetwork, type ShareNetwork } from '@gateway/resources';
import { sourcesOf } from '../../pipeline/cached-list.ts';
import type { RequestContext } from '../../pipeline/request-context.ts';
import { getOwnShareNetwork } from '../../resources/own-records.ts';
import { getVisibleSubnet } from '../../resources/visible-network.ts';
import type { CreateShareNetworkBody } from './schemas.ts';

type NetworkRequest = RequestContext<{ share_network_id: string }>;

export async function getShareNetwork(request: NetworkRequest): Promise<ShareNetwork> {
  return present(request, await getOwnShareNetwork(request, request.params.share_network_id));
}

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
  return present(request, created);
}

export async function deleteShareNetwork(request: NetworkRequest): Promise<void> {
  const { id } = await getOwnShareNetwork(request, request.params.share_network_id);
  await request.openstack.sharedFileSystem.shareNetworks.remove(id);
}

async function present(request: RequestContext, record: ShareNetworkRecord): Promise<ShareNetwork> {
  const row = presentShareNetwork(record);
  await nameShareNetworks(sourcesOf(request), [row]);
  return row;
}
