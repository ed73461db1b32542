import type { BoundClient, NetworkRecord } from '@gateway/openstack';
import { type Network, presentNetwork } from './networks.ts';
import { presentRouters, type Router, readRouters } from './routers.ts';
import { presentSubnetDetail, type SubnetDetail } from './subnets.ts';

export interface NetworkDetail extends Network {
  subnet_details: SubnetDetail[];
  /** The project's routers, or for administrators all, with an interface or gateway in the network. */
  routers: Router[];
}

/**
 * Completes a network with three concurrent calls.
 *
 * @param projectId whose routers are shown; by default, those that the caller sees
 */
export async function readNetworkDetail(
  openstack: BoundClient,
  network: NetworkRecord,
  projectId?: string,
): Promise<NetworkDetail> {
  const [subnets, { routers, interfaces }] = await Promise.all([
    openstack.network.subnets.list({ network_id: network.id }),
    readRouters(openstack, projectId),
  ]);
  const inside = new Set(
    interfaces.filter(({ network_id }) => network_id === network.id).map(({ device_id }) => device_id),
  );
  const connected = routers.filter(
    ({ id, external_gateway_info: gateway }) => inside.has(id) || gateway?.network_id === network.id,
  );
  return {
    ...presentNetwork(network),
    subnet_details: subnets.map(presentSubnetDetail),
    routers: presentRouters({ routers: connected, interfaces }),
  };
}
