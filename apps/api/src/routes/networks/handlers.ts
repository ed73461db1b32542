import type { NetworkRecord } from '@gateway/openstack';
import {
  type Network,
  networkNames,
  ownProjectName,
  presentNetwork,
  presentSubnetDetail,
  readNetworkDetail,
  withNames,
} from '@gateway/resources';
import { isEmpty } from '../../http/schemas/is-empty.ts';
import { sourcesOf } from '../../pipeline/cached-list.ts';
import type { RequestContext } from '../../pipeline/request-context.ts';
import { oneAtATime } from '../../resources/one-at-a-time.ts';
import { getOwnNetwork, getOwnSubnet, getVisibleNetwork } from '../../resources/visible-network.ts';
import { checkAddresses, subnetIn } from './check-addresses.ts';
import { removeNetwork, removeSubnet } from './remove-network.ts';
import type { CreateNetworkBody, CreateSubnetBody, UpdateNetworkBody, UpdateSubnetBody } from './schemas.ts';

type NetworkParams = { network_id: string };
type SubnetParams = { subnet_id: string };

export async function createNetwork(request: RequestContext<unknown, unknown, CreateNetworkBody>) {
  const { body, openstack } = request;
  return present(request, await openstack.network.networks.create({ name: body.name }));
}

/** A network of the caller's project. */
function present(request: RequestContext, network: NetworkRecord): Promise<Network> {
  return withNames(sourcesOf(request), presentNetwork(network), { project_id: ownProjectName });
}

export async function getNetwork(request: RequestContext<NetworkParams>) {
  const network = await getVisibleNetwork(request, request.params.network_id);
  return readNetworkDetail(sourcesOf(request), network);
}

export async function updateNetwork(request: RequestContext<NetworkParams, unknown, UpdateNetworkBody>) {
  const { body, openstack, params } = request;
  const network = await getOwnNetwork(request, params.network_id);
  if (body.name === undefined) return present(request, network);
  return present(request, await openstack.network.networks.update(network.id, { name: body.name }));
}

export async function deleteNetwork(request: RequestContext<NetworkParams>): Promise<void> {
  await whileUnchanged(request, () => removeNetwork(request, request.params.network_id));
}

/**
 * The deletion of a network and the creation of its subnets never run at the same time: the service may
 * answer 500 to concurrent requests.
 */
function whileUnchanged<T>(request: RequestContext<NetworkParams>, change: () => Promise<T>): Promise<T> {
  return oneAtATime(request, `network:${request.params.network_id}`, change);
}

export async function createSubnet(request: RequestContext<NetworkParams, unknown, CreateSubnetBody>) {
  const { body, openstack, params } = request;
  checkAddresses(body.cidr, body);
  return whileUnchanged(request, async () => {
    const network = await getOwnNetwork(request, params.network_id);
    const created = presentSubnetDetail(await openstack.network.subnets.create(subnetIn(network, body)));
    return { ...created, network_name: network.name };
  });
}

export async function updateSubnet(request: RequestContext<SubnetParams, unknown, UpdateSubnetBody>) {
  const { body, openstack, params } = request;
  const subnet = await getOwnSubnet(request, params.subnet_id);
  checkAddresses(subnet.cidr, body);
  const updated = isEmpty(body) ? subnet : await openstack.network.subnets.update(subnet.id, body);
  return withNames(sourcesOf(request), presentSubnetDetail(updated), { network_id: networkNames.project });
}

export async function deleteSubnet(request: RequestContext<SubnetParams>): Promise<void> {
  await removeSubnet(request, await getOwnSubnet(request, request.params.subnet_id));
}
