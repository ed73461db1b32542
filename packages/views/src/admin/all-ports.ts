import type { FixedIp, PortRecord } from '@gateway/openstack';
import { CachedList } from '../cached-list.ts';
import { isBeingBuilt } from '../networks.ts';

/** A port of any project. */
export interface Port {
  id: string;
  name: string;
  status: string;
  network_id: string;
  /** `compute:nova`, `network:router_interface`, …; empty if unused. */
  device_owner: string;
  device_id: string;
  mac_address: string;
  fixed_ips: FixedIp[];
  /** Null for a port of the network service itself. */
  project_id: string | null;
}

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
] as const;

export function presentPort(port: Pick<PortRecord, (typeof FIELDS)[number]>): Port {
  return {
    id: port.id,
    name: port.name,
    status: port.status,
    network_id: port.network_id,
    device_owner: port.device_owner,
    device_id: port.device_id,
    mac_address: port.mac_address,
    fixed_ips: port.fixed_ips.map(({ subnet_id, ip_address }) => ({ subnet_id, ip_address })),
    project_id: port.project_id || null,
  };
}

/** The ports of all projects, sorted by id, in the order of the service's pages. */
export const allPortList = new CachedList<Port[]>({
  name: 'allPorts',
  varyBy: 'nothing',
  dependsOn: ['port', 'instance', 'router', 'floating_ip', 'load_balancer', 'container', 'cluster'],
  lifetime: 'adminSeconds',
  isInTransition: (ports) => ports.some(isBeingBuilt),
  load: ({ openstack }) => openstack.network.ports.listFields(FIELDS, presentPort),
});
