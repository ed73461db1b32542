import {
  type BoundClient,
  nullIfNotFound,
  type PortRecord,
  ROUTER_PORTS,
  type RouterRecord,
} from '@gateway/openstack';
import type { ListSources } from '../lists/cached-list.ts';
import { addNames, ownProjectName, withNames } from '../lists/names.ts';
import { networkNames } from './networks.ts';
import type { NewRouterInterface, RouterDetail, RouterInterface } from './router-detail-shape.ts';

/** Completes a router with three calls, one more for each 100 interfaces, and the names of networks. */
export async function readRouterDetail(sources: ListSources, router: RouterRecord): Promise<RouterDetail> {
  const { openstack } = sources;
  const gatewayId = router.external_gateway_info?.network_id ?? null;
  const [gateway, interfaces] = await Promise.all([
    gatewayId === null ? null : nullIfNotFound(openstack.network.networks.get(gatewayId)),
    readInterfaces(openstack, router.id),
  ]);
  const detail: RouterDetail = {
    id: router.id,
    name: router.name,
    status: router.status,
    admin_state_up: router.admin_state_up,
    project_id: router.project_id,
    project_name: null,
    external_gateway_network_id: gatewayId,
    external_gateway_network_name: gateway?.name ?? null,
    routes: router.routes,
    interfaces: await addNames(sources, interfaces, { network_id: networkNames.project }),
  };
  return withNames(sources, detail, { project_id: ownProjectName });
}

async function readInterfaces({ network }: BoundClient, routerId: string): Promise<RouterInterface[]> {
  const ports = await network.ports.list({ device_id: routerId, device_owner: ROUTER_PORTS });
  const subnets = await network.subnets.listByIds(
    ports.flatMap(({ fixed_ips }) => fixed_ips.map(({ subnet_id }) => subnet_id)),
  );
  const names = new Map(subnets.map(({ id, name }) => [id, name]));
  return ports.flatMap((port) => presentInterfaces(port, names));
}

function presentInterfaces(port: PortRecord, subnetNames: ReadonlyMap<string, string>): RouterInterface[] {
  return port.fixed_ips.map(({ subnet_id, ip_address }) => ({
    id: port.id,
    subnet_id,
    subnet_name: subnetNames.get(subnet_id) ?? '',
    network_id: port.network_id,
    network_name: null,
    ip_address,
  }));
}

/** The interface in one subnet that was just added to a router. */
export function presentNewInterface(
  port: PortRecord,
  { id, name }: { id: string; name: string },
): NewRouterInterface {
  const address = port.fixed_ips.find(({ subnet_id }) => subnet_id === id)?.ip_address ?? '';
  return {
    id: port.id,
    port_id: port.id,
    subnet_id: id,
    subnet_name: name,
    network_id: port.network_id,
    network_name: null,
    ip_address: address,
  };
}
