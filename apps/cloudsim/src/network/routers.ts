import { booleanAt, isObject, type JsonObject, stringAt } from '../common/json.ts';
import { badRequest, conflict, notFound } from '../common/service-error.ts';
import type { Caller } from '../http/operation.ts';
import { contains } from './addresses.ts';
import type { NetworkCloud } from './cloud.ts';
import { visibleNetwork } from './networks.ts';
import { createPort, removePort } from './ports.ts';
import { requireQuota } from './quotas.ts';
import { newRecord, notFoundErrors, requireOwned, touch } from './records.ts';
import type { Port, Router } from './state.ts';
import { routesIn } from './subnet-options.ts';
import { canSeeSubnet } from './subnets.ts';

const INTERFACE_OWNER = 'network:router_interface';
const GATEWAY_OWNER = 'network:router_gateway';

function portsOf(cloud: NetworkCloud, routerId: string): Port[] {
  return [...(cloud.network.portsByDevice.get(routerId) ?? [])];
}

function interfacesOf(cloud: NetworkCloud, routerId: string): Port[] {
  return portsOf(cloud, routerId).filter((port) => port.device_owner === INTERFACE_OWNER);
}

function gatewayPortOf(cloud: NetworkCloud, routerId: string): Port | undefined {
  return portsOf(cloud, routerId).find((port) => port.device_owner === GATEWAY_OWNER);
}

export function createRouter(cloud: NetworkCloud, caller: Caller, input: JsonObject): Router {
  const record = newRecord(cloud, caller, input);
  requireQuota(cloud.network, 'router', record.project_id);
  const router: Router = {
    ...record,
    name: stringAt(input, 'name') ?? '',
    admin_state_up: booleanAt(input, 'admin_state_up', true),
    status: 'ACTIVE',
    external_gateway_info: null,
    routes: [],
  };
  setGateway(cloud, caller, router, input);
  cloud.network.routers.set(router.id, router);
  return router;
}

function ownRouter(cloud: NetworkCloud, caller: Caller, id: string, rule: string): Router {
  return requireOwned(caller, cloud.network.routers.get(id), false, rule, () => notFoundErrors.router(id));
}

export function updateRouter(cloud: NetworkCloud, caller: Caller, id: string, input: JsonObject): Router {
  const router = ownRouter(cloud, caller, id, 'update_router');
  const routes = input.routes === undefined ? router.routes : checkedRoutes(cloud, router, input);
  setGateway(cloud, caller, router, input);
  router.routes = routes;
  router.name = stringAt(input, 'name') ?? router.name;
  router.description = stringAt(input, 'description') ?? router.description;
  router.admin_state_up = booleanAt(input, 'admin_state_up', router.admin_state_up);
  touch(cloud, router);
  return router;
}

/** The next hop of each route must be in a subnet of the router, and not its own address. */
function checkedRoutes(cloud: NetworkCloud, router: Router, input: JsonObject): Router['routes'] {
  const routes = routesIn(input, 'routes');
  const limit = 30;
  if (routes.length > limit)
    throw badRequest(
      `Unable to complete operation for ${router.id}. The number of routes exceeds the maximum ${limit}.`,
      'RoutesExhausted',
    );
  const own = portsOf(cloud, router.id).flatMap(({ fixed_ips }) => fixed_ips);
  const invalid = (reason: string) =>
    badRequest(`Invalid format for routes: ${JSON.stringify(routes)}, ${reason}`, 'InvalidRoutes');
  for (const { nexthop } of routes) {
    if (!own.some((fixed) => contains(cloud.network.subnets.get(fixed.subnet_id)?.cidr ?? '', nexthop)))
      throw invalid('the nexthop is not connected with router');
    if (own.some(({ ip_address }) => ip_address === nexthop)) throw invalid('the nexthop is used by router');
  }
  return routes;
}

function setGateway(cloud: NetworkCloud, caller: Caller, router: Router, input: JsonObject): void {
  const requested = input.external_gateway_info;
  if (requested === undefined) return;
  const networkId = isObject(requested) ? stringAt(requested, 'network_id') : undefined;
  const enable_snat = isObject(requested) ? booleanAt(requested, 'enable_snat', true) : true;
  if (router.external_gateway_info !== null && networkId === router.external_gateway_info.network_id) {
    router.external_gateway_info.enable_snat = enable_snat;
    return;
  }
  const network = networkId === undefined ? undefined : visibleNetwork(cloud, caller, networkId);
  if (network?.external === false)
    throw badRequest(`Bad router request: Network ${networkId} is not an external network.`, 'BadRequest');
  rejectWhileServingFloatingIps(cloud, router);
  const before = gatewayPortOf(cloud, router.id);
  if (before !== undefined) removePort(cloud, before);
  router.external_gateway_info = null;
  if (network === undefined) return;
  const port = createPort(cloud, SYSTEM, {
    network_id: network.id,
    project_id: '',
    device_id: router.id,
    device_owner: GATEWAY_OWNER,
    port_security_enabled: false,
  });
  router.external_gateway_info = {
    network_id: network.id,
    external_fixed_ips: port.fixed_ips,
    enable_snat,
  };
}

/** The caller for ports that belong to no project, such as router gateways. */
export const SYSTEM: Caller = {
  tokenId: '',
  userId: '',
  userName: '',
  projectId: '',
  roles: ['admin'],
  isAdmin: true,
};

function rejectWhileServingFloatingIps(cloud: NetworkCloud, router: Router): void {
  if (router.external_gateway_info === null) return;
  for (const floating of cloud.network.floatingIps.values())
    if (floating.router_id === router.id)
      throw conflict(
        `Gateway cannot be updated for router ${router.id}, since a gateway to external network ${router.external_gateway_info.network_id} is required by one or more floating IPs.`,
        'RouterExternalGatewayInUseByFloatingIp',
      );
}

export function deleteRouter(cloud: NetworkCloud, caller: Caller, id: string): void {
  const router = ownRouter(cloud, caller, id, 'delete_router');
  const attached = interfacesOf(cloud, id).map((port) => port.id);
  if (attached.length > 0)
    throw conflict(`Router ${id} has ports still attached: ${attached.sort().join(', ')}`, 'RouterInUse');
  const gateway = gatewayPortOf(cloud, router.id);
  if (gateway !== undefined) removePort(cloud, gateway);
  cloud.network.routers.delete(id);
}

/** Adds a port of the router to the subnet, with the subnet's gateway address. */
export function addInterface(cloud: NetworkCloud, caller: Caller, id: string, input: JsonObject): object {
  const router = ownRouter(cloud, caller, id, 'add_router_interface');
  const subnetId = stringAt(input, 'subnet_id');
  if (subnetId === undefined)
    throw badRequest('Bad router request: Either subnet_id or port_id must be specified.', 'BadRequest');
  const subnet = cloud.network.subnets.get(subnetId);
  if (subnet === undefined || !canSeeSubnet(cloud, caller, subnet)) throw notFoundErrors.subnet(subnetId);
  if (interfacesOf(cloud, id).some((port) => port.fixed_ips.some((fixed) => fixed.subnet_id === subnetId)))
    throw badRequest(`Bad router request: Router already has a port on subnet ${subnetId}.`, 'BadRequest');
  if (subnet.gateway_ip === null)
    throw badRequest('Bad router request: Subnet for router interface must have a gateway IP.', 'BadRequest');
  const port = createPort(cloud, SYSTEM, {
    network_id: subnet.network_id,
    project_id: router.project_id,
    fixed_ips: [{ subnet_id: subnetId, ip_address: subnet.gateway_ip }],
    device_id: id,
    device_owner: INTERFACE_OWNER,
    port_security_enabled: false,
  });
  return presentInterface(router, port, subnetId);
}

export function removeInterface(cloud: NetworkCloud, caller: Caller, id: string, input: JsonObject): object {
  const router = ownRouter(cloud, caller, id, 'remove_router_interface');
  const portId = stringAt(input, 'port_id');
  const subnetId = stringAt(input, 'subnet_id');
  const port = interfacesOf(cloud, id).find((candidate) =>
    portId === undefined
      ? candidate.fixed_ips.some((fixed) => fixed.subnet_id === subnetId)
      : candidate.id === portId,
  );
  if (port === undefined)
    throw portId === undefined
      ? notFound(`Router ${id} has no interface on subnet ${subnetId}`, 'RouterInterfaceNotFoundForSubnet')
      : notFound(`Router ${id} does not have an interface with id ${portId}`, 'RouterInterfaceNotFound');
  const servedId = port.fixed_ips[0]?.subnet_id ?? '';
  for (const floating of cloud.network.floatingIps.values()) {
    const served = cloud.network.ports.get(floating.port_id ?? '')?.fixed_ips ?? [];
    if (floating.router_id === id && served.some((fixed) => fixed.subnet_id === servedId))
      throw conflict(
        `Router interface for subnet ${servedId} on router ${id} cannot be deleted, as it is required by one or more floating IPs.`,
        'RouterInterfaceInUseByFloatingIP',
      );
  }
  const { cidr = '' } = cloud.network.subnets.get(servedId) ?? {};
  if (router.routes.some(({ nexthop }) => contains(cidr, nexthop)))
    throw conflict(
      `Router interface for subnet ${servedId} on router ${id} cannot be deleted, as it is required by one or more routes.`,
      'RouterInterfaceInUseByRoute',
    );
  removePort(cloud, port);
  return presentInterface(router, port, servedId);
}

function presentInterface(router: Router, port: Port, subnetId: string): object {
  return {
    id: router.id,
    tenant_id: router.project_id,
    port_id: port.id,
    network_id: port.network_id,
    subnet_id: subnetId,
    subnet_ids: [subnetId],
  };
}
