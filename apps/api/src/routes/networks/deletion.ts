import type { RequestContext } from '../../pipeline/request-context.ts';
import { inTheWay, isRefusedAsInUse, nameOf, nameUsersOf } from '../../resources/in-the-way.ts';
import { getOwnNetwork, getOwnSubnet } from '../../resources/read-network.ts';

/** The service would delete the subnets of a network together with it, so only the gateway refuses because of them. */
export async function removeNetwork(request: RequestContext, networkId: string): Promise<void> {
  const { networks, ports, subnets } = request.openstack.network;
  const network = await getOwnNetwork(request, networkId);
  const failure = 'The network can not be deleted';
  const inside = await subnets.list({ network_id: network.id });
  const nameUsers = async () => nameUsersOf(request, await ports.list({ network_id: network.id }));
  if (inside.length > 0) {
    const names = inside.map((subnet) => nameOf('subnet', subnet));
    throw inTheWay(failure, [...(await nameUsers()), ...names]);
  }
  try {
    await networks.remove(network.id);
  } catch (error) {
    throw isRefusedAsInUse(error) ? inTheWay(failure, await nameUsers(), error) : error;
  }
}

export async function removeSubnet(request: RequestContext, subnetId: string): Promise<void> {
  const { ports, subnets } = request.openstack.network;
  const subnet = await getOwnSubnet(request, subnetId);
  try {
    await subnets.remove(subnet.id);
  } catch (error) {
    if (!isRefusedAsInUse(error)) throw error;
    const inside = await ports.list({ network_id: subnet.network_id });
    const using = inside.filter(({ fixed_ips }) => fixed_ips.some((fixed) => fixed.subnet_id === subnet.id));
    throw inTheWay('The subnet can not be deleted', await nameUsersOf(request, using), error);
  }
}
