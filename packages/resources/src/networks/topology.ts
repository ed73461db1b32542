import {
  isRouterPort,
  type NetworkRecord,
  type PortRecord,
  type ServerRecord,
  type SubnetRecord,
} from '@gateway/openstack';
import { addressesOf, markServerTransition } from '../instances/instances.ts';
import { CachedList, type ListSources } from '../lists/cached-list.ts';
import { addNames, knownNames, type NameSource, ownProjectName } from '../lists/names.ts';
import { presentFloatingIps } from './floating-ips.ts';
import { presentNetwork, visibleNetworks } from './networks.ts';
import { presentRouters } from './routers.ts';
import { presentSubnet } from './subnets.ts';
import type { Topology, TopologyInstance } from './topology-shape.ts';

/**
 * The data that a client needs to draw the project's networks. Reads six lists concurrently, none of which
 * can be omitted: a network has only the ids of its subnets, a router no list of its interfaces, a port no
 * name of its server, and only the list of floating IPs has those without a port. The cached lists of the
 * single resources would be up to twice as old as their lifetime. Subnets of external networks are omitted:
 * the service shows them only to administrators, who share the cache entry with others.
 */
export const topology = new CachedList<Topology>({
  name: 'topology',
  varyBy: 'project',
  dependsOn: ['network', 'subnet', 'router', 'port', 'floating_ip', 'instance', 'project'],
  lifetime: 'networksSeconds',
  rowsWithStates: ({ floating_ips, instances, networks, routers }) => [
    ...networks,
    ...routers,
    ...instances,
    ...floating_ips,
  ],
  async load(sources) {
    const { projectId } = sources.reader;
    const { network, compute } = sources.openstack;
    const [networks, subnets, routers, ports, servers, floatingIps] = await Promise.all([
      network.networks.list(),
      network.subnets.list(),
      network.routers.list({ project_id: projectId }),
      network.ports.list({ project_id: projectId }),
      compute.servers.list(),
      network.floatingIps.list({ project_id: projectId }),
    ]);
    const visible = visibleNetworks(networks, projectId);
    const interfaces = ports.filter(isRouterPort);
    const portsOf = Map.groupBy(ports, ({ device_id }) => device_id);
    const subnetsOf = groupSubnets(subnets, visible, projectId);
    const named = {
      networks: visible.map((record) => ({
        ...presentNetwork(record),
        subnet_details: (subnetsOf.get(record.id) ?? []).map(presentSubnet),
      })),
      routers: presentRouters({ routers, interfaces }),
      instances: servers.map((server) => presentTopologyInstance(server, portsOf.get(server.id) ?? [])),
      floating_ips: presentFloatingIps(floatingIps),
    };
    return nameTopology(sources, named, ownProjectName);
  },
});

/** Adds the names, all of which but those of projects are in the topology itself. */
export async function nameTopology<T extends Topology>(
  sources: ListSources,
  topology: T,
  projects: NameSource,
): Promise<T> {
  const subnets = topology.networks.flatMap(({ subnet_details }) => subnet_details);
  const [networkNames, instanceNames] = [topology.networks, topology.instances].map(knownNames);
  await Promise.all([
    addNames(sources, topology.networks, { project_id: projects }),
    addNames(sources, subnets, { network_id: networkNames }),
    addNames(sources, topology.routers, {
      project_id: projects,
      external_gateway_network_id: networkNames,
      connected_subnet_ids: knownNames(subnets),
    }),
    addNames(sources, topology.floating_ips, {
      project_id: projects,
      floating_network_id: networkNames,
      instance_id: instanceNames,
    }),
  ]);
  return topology;
}

/** The subnets that members of the project may read. For an administrator the service lists all subnets. */
function groupSubnets(
  subnets: readonly SubnetRecord[],
  visible: readonly NetworkRecord[],
  projectId: string,
): Map<string, SubnetRecord[]> {
  const open = visible.filter(({ project_id, shared }) => project_id === projectId || shared);
  const openIds = new Set(open.map(({ id }) => id));
  const readable = subnets.filter(
    ({ network_id, project_id }) => project_id === projectId || openIds.has(network_id),
  );
  return Map.groupBy(readable, ({ network_id }) => network_id);
}

/** The networks of ports, sorted. A port whose network the service leaves out adds none. */
export function networkIdsOf(ports: readonly Pick<PortRecord, 'network_id'>[]): string[] {
  return [...new Set(ports.map(({ network_id }) => network_id))].filter((id) => id !== '').sort();
}

/**
 * @param ports the ports of the server
 */
export function presentTopologyInstance(
  server: ServerRecord,
  ports: readonly Pick<PortRecord, 'network_id'>[],
): TopologyInstance {
  const addresses = addressesOf(server);
  return {
    id: server.id,
    name: server.name,
    status: server.status,
    task_state: server['OS-EXT-STS:task_state'],
    network_ids: networkIdsOf(ports),
    network_names: [...new Set(addresses.map(({ network_name }) => network_name))],
    ip_addresses: addresses,
    ...markServerTransition(server),
  };
}
