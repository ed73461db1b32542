import type { FloatingIp, Topology, TopologyInstance } from '@gateway/resources';

export interface Connection {
  /** Ids of what is connected. `to` is a network, or the instance of a floating IP. */
  from: string;
  to: string;
  /** Addresses of an instance in the network. */
  addresses: string[];
  kind: 'attached' | 'translates';
}

/** All connected elements, found in the topology alone. */
export function connectionsOf(topology: Topology): Connection[] {
  const { floating_ips, instances, networks, routers } = topology;
  const attached = (from: string, to: string, addresses: string[] = []): Connection => ({
    from,
    to,
    addresses,
    kind: 'attached',
  });
  const ofRouters = routers.flatMap(({ id, connected_subnet_ids, external_gateway_network_id: outside }) => {
    const inside = networks.filter(({ subnets }) =>
      subnets.some((subnet) => connected_subnet_ids.includes(subnet)),
    );
    const ids = [...(outside === null ? [] : [outside]), ...inside.map((network) => network.id)];
    return ids.map((network) => attached(id, network));
  });
  const ofInstances = instances.flatMap((instance) =>
    instance.network_ids.map((id) => attached(instance.id, id, addressesIn(topology, instance, id))),
  );
  const ofFloatingIps = floating_ips.flatMap((floatingIp) => {
    const outside = attached(floatingIp.id, floatingIp.floating_network_id);
    const instance = instanceOf(topology, floatingIp);
    if (instance === undefined) return [outside];
    return [outside, { from: floatingIp.id, to: instance.id, addresses: [], kind: 'translates' as const }];
  });
  return [...ofRouters, ...ofInstances, ...ofFloatingIps];
}

/**
 * The instance of the floating IP; undefined for a free floating IP, or one of another device,
 * such as a load balancer.
 */
export function instanceOf(
  { instances }: Topology,
  { floating_ip_address, port_id }: FloatingIp,
): TopologyInstance | undefined {
  if (port_id === null) return undefined;
  return instances.find(({ ip_addresses }) =>
    ip_addresses.some(({ addr, type }) => type === 'floating' && addr === floating_ip_address),
  );
}

function addressesIn(
  { networks }: Topology,
  { ip_addresses }: TopologyInstance,
  networkId: string,
): string[] {
  const name = networks.find(({ id }) => id === networkId)?.name;
  return ip_addresses
    .filter(({ network_name, type }) => network_name === name && type === 'fixed')
    .map(({ addr }) => addr);
}
