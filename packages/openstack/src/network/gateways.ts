import type { Ports } from './ports.ts';
import type { Routers } from './routers.ts';

/** A router connects a subnet to an external network. */
export interface SubnetGateway {
  subnetId: string;
  externalNetworkId: string;
}

/** Whether a port is an interface of a router. */
export function isRouterPort({ device_owner }: { device_owner: string | null }): boolean {
  return device_owner !== null && ROUTER_PORTS.includes(device_owner);
}

/** Device owners of router ports: central, distributed and highly available routers. */
export const ROUTER_PORTS: readonly string[] = [
  'network:router_interface',
  'network:router_interface_distributed',
  'network:ha_router_replicated_interface',
];

/**
 * The routes from these networks to external networks, as far as the caller can see the
 * routers. Makes two calls, and one more for each 100 routers. A router that is switched off is no route.
 */
export async function readGateways(
  { ports, routers }: { ports: Pick<Ports, 'list'>; routers: Pick<Routers, 'listByIds'> },
  networkIds: readonly string[],
): Promise<SubnetGateway[]> {
  if (networkIds.length === 0) return [];
  const routerPorts = await ports.list({ network_id: networkIds, device_owner: ROUTER_PORTS });
  const routerIds = routerPorts.flatMap(({ device_id }) => device_id ?? []);
  if (routerIds.length === 0) return [];
  // A shared network may have more routers than fit into one request.
  const serving = await routers.listByIds(routerIds);
  const externalOf = new Map(
    serving
      .filter(({ admin_state_up }) => admin_state_up)
      .map(({ id, external_gateway_info: gateway }) => [id, gateway?.network_id]),
  );
  return routerPorts.flatMap(({ device_id, fixed_ips }) => {
    const externalNetworkId = externalOf.get(device_id ?? '');
    if (externalNetworkId === undefined) return [];
    const subnetIds = fixed_ips.map(({ subnet_id }) => subnet_id).filter((id) => id !== '');
    return subnetIds.map((subnetId) => ({ subnetId, externalNetworkId }));
  });
}

/** The configured external network, or the first by id, so that the choice is deterministic. */
export function chooseGateway(
  gateways: readonly SubnetGateway[],
  configuredId: string | null,
): string | null {
  const ids = gateways.map(({ externalNetworkId }) => externalNetworkId);
  return ids.find((id) => id === configuredId) ?? ids.toSorted()[0] ?? null;
}
