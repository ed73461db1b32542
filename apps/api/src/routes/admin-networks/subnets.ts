import type { ResourceName } from '@gateway/core';
import type { NetworkRecord, SubnetRecord } from '@gateway/openstack';
import { presentSubnetDetail, type SubnetDetail } from '@gateway/resources';
import { isEmpty } from '../../http/schemas/is-empty.ts';
import type { RequestContext } from '../../pipeline/request-context.ts';
import { changingListsOf } from '../../resources/changing-lists.ts';
import { oneAtATime } from '../../resources/one-at-a-time.ts';
import { checkAddresses, subnetIn } from '../networks/check-addresses.ts';
import { removeSubnet } from '../networks/remove-network.ts';
import type { CreateSubnetBody, UpdateSubnetBody } from '../networks/schemas.ts';
import { ownerOf } from './owner.ts';

type SubnetRequest<Body = unknown> = RequestContext<{ subnet_id: string }, unknown, Body>;

const CHANGED: readonly ResourceName[] = ['network', 'subnet'];

/** In the project of the network. Never runs at the same time as the deletion of the network. */
export async function createSubnet(
  request: RequestContext<{ network_id: string }, unknown, CreateSubnetBody>,
): Promise<SubnetDetail> {
  const { body, openstack, params } = request;
  checkAddresses(body.cidr, body);
  return oneAtATime(request, `network:${params.network_id}`, async () => {
    const network = await openstack.network.networks.get(params.network_id);
    const create = () => openstack.network.subnets.create(subnetIn(network, body));
    return presentIn(network, await changingListsOf(request, ownerOf(network), CHANGED, create));
  });
}

export async function updateSubnet(request: SubnetRequest<UpdateSubnetBody>): Promise<SubnetDetail> {
  const { body, openstack } = request;
  const { network, subnet } = await readSubnet(request);
  checkAddresses(subnet.cidr, body);
  if (isEmpty(body)) return presentIn(network, subnet);
  const update = () => openstack.network.subnets.update(subnet.id, body);
  return presentIn(network, await changingListsOf(request, ownerOf(network), CHANGED, update));
}

function presentIn(network: NetworkRecord, subnet: SubnetRecord): SubnetDetail {
  return { ...presentSubnetDetail(subnet), network_name: network.name };
}

export async function deleteSubnet(request: SubnetRequest): Promise<void> {
  const { network, subnet } = await readSubnet(request);
  await changingListsOf(request, ownerOf(network), CHANGED, () => removeSubnet(request, subnet, 'cloud'));
}

/** A subnet of any project. Throws 404. */
async function readSubnet({
  openstack,
  params,
}: SubnetRequest): Promise<{ network: NetworkRecord; subnet: SubnetRecord }> {
  const subnet = await openstack.network.subnets.get(params.subnet_id);
  return { network: await openstack.network.networks.get(subnet.network_id), subnet };
}
