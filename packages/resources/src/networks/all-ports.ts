import { type PortRecord, ROUTER_PORTS } from '@gateway/openstack';
import { allProjectNames } from '../identity/projects.ts';
import { CachedList, type ListSources } from '../lists/cached-list.ts';
import { addNames } from '../lists/names.ts';
import { markTransition } from '../transitions/in-transition.ts';
import { isBeingBuilt } from '../transitions/states-in-transition.ts';
import { presentFixedIp } from './interfaces.ts';
import { instanceNames, subnetNames } from './name-lists.ts';
import { networkNames } from './networks.ts';
import type { Port } from './port-shape.ts';
import { routerNames } from './routers.ts';

const FIELDS = [
  'id',
  'name',
  'status',
  'network_id',
  'device_owner',
  'device_id',
  'mac_address',
  'fixed_ips',
  'project_id',
  'created_at',
  'updated_at',
] as const;

export function presentPort(port: Pick<PortRecord, (typeof FIELDS)[number]>): Port {
  return {
    id: port.id,
    name: port.name,
    status: port.status,
    network_id: port.network_id,
    network_name: null,
    device_owner: port.device_owner ?? '',
    device_id: port.device_id ?? '',
    device_name: null,
    mac_address: port.mac_address,
    fixed_ips: port.fixed_ips.map(presentFixedIp),
    project_id: port.project_id || null,
    project_name: null,
    ...markTransition(isBeingBuilt(port), port.status, {
      changedAt: port.updated_at,
      createdAt: port.created_at,
    }),
  };
}

/** Adds the names of projects, networks, subnets and devices to ports of any projects. */
export async function namePorts(sources: ListSources, ports: Port[]): Promise<Port[]> {
  const addresses = ports.flatMap(({ fixed_ips }) => fixed_ips);
  const ofInstances = ports.filter(({ device_owner }) => device_owner.startsWith('compute:'));
  const ofRouters = ports.filter(({ device_owner }) => ROUTER_DEVICES.includes(device_owner));
  await Promise.all([
    addNames(sources, addresses, { subnet_id: subnetNames.cloud }),
    addNames(sources, ofInstances, { device_id: instanceNames.cloud }),
    addNames(sources, ofRouters, { device_id: routerNames.cloud }),
    addNames(sources, ports, { network_id: networkNames.cloud, project_id: allProjectNames }),
  ]);
  return ports;
}

const ROUTER_DEVICES = [...ROUTER_PORTS, 'network:router_gateway'];

/** The ports of all projects, sorted by id, in the order of the service's pages. */
export const allPortList = new CachedList<Port[]>({
  name: 'allPorts',
  varyBy: 'nothing',
  dependsOn: [
    'port',
    'instance',
    'router',
    'floating_ip',
    'load_balancer',
    'container',
    'cluster',
    'network',
    'subnet',
    'project',
  ],
  lifetime: 'adminSeconds',
  rowsWithStates: (ports) => ports,
  load: async (sources) =>
    namePorts(sources, await sources.openstack.network.ports.listFields(FIELDS, presentPort)),
});
