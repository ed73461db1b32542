import { isRouterPort, type PortRecord } from '@gateway/openstack';
import { allProjectNames } from '../identity/projects.ts';
import { CachedList } from '../lists/cached-list.ts';
import { addNames } from '../lists/names.ts';
import type { CloudTopology } from './cloud-topology-shape.ts';
import { readAllFloatingIps } from './floating-ips.ts';
import { readAllNetworks } from './networks.ts';
import { presentRouters, ROUTER_FIELDS } from './routers.ts';
import { presentSubnet } from './subnets.ts';
import { nameTopology, networkIdsOf, presentTopologyInstance } from './topology.ts';

const SUBNET_FIELDS = [
  'id',
  'name',
  'cidr',
  'gateway_ip',
  'enable_dhcp',
  'network_id',
  'ip_version',
] as const;

/** The data that a client needs to draw the networks of all projects. Reads six lists concurrently. */
export const cloudTopology = new CachedList<CloudTopology>({
  name: 'cloudTopology',
  varyBy: 'nothing',
  dependsOn: ['network', 'subnet', 'router', 'port', 'floating_ip', 'instance', 'project'],
  lifetime: 'adminSeconds',
  rowsWithStates: ({ floating_ips, instances, networks, routers }) => [
    ...networks,
    ...routers,
    ...instances,
    ...floating_ips,
  ],
  async load(sources) {
    const { openstack } = sources;
    const { network, compute } = openstack;
    const servers = compute.servers.listAs(
      (server) => ({
        ...presentTopologyInstance(server, []),
        project_id: server.tenant_id,
        project_name: null,
      }),
      { all_tenants: 1 },
    );
    const [networks, subnets, routers, ports, instances, floating_ips] = await Promise.all([
      readAllNetworks(openstack),
      network.subnets.listFields(SUBNET_FIELDS, presentSubnet),
      network.routers.listFields(ROUTER_FIELDS, (router) => router),
      network.ports.listFields(['device_id', 'device_owner', 'network_id', 'fixed_ips'], presentUse),
      servers,
      readAllFloatingIps(openstack),
    ]);
    const subnetsOf = Map.groupBy(subnets, ({ network_id }) => network_id);
    const portsOf = Map.groupBy(ports, ({ device_id }) => device_id);
    const cloud: CloudTopology = {
      networks: networks.map((row) => ({ ...row, subnet_details: subnetsOf.get(row.id) ?? [] })),
      routers: presentRouters({ routers, interfaces: ports.filter(({ isInterface }) => isInterface) }),
      instances: instances.map((row) => ({
        ...row,
        network_ids: networkIdsOf(portsOf.get(row.id) ?? []),
      })),
      floating_ips,
    };
    await addNames(sources, cloud.instances, { project_id: allProjectNames });
    return nameTopology(sources, cloud, allProjectNames);
  },
});

/** The user of a port, and its host. Only interfaces of routers need the addresses. */
function presentUse({
  device_id,
  device_owner,
  fixed_ips,
  network_id,
}: Pick<PortRecord, 'device_id' | 'device_owner' | 'fixed_ips' | 'network_id'>) {
  const isInterface = isRouterPort({ device_owner });
  return { device_id, network_id, isInterface, fixed_ips: isInterface ? fixed_ips : [] };
}
