import type { BoundClient, FloatingIpRecord } from '@gateway/openstack';
import { projectNames } from '../identity/projects.ts';
import type { ListSources } from '../lists/cached-list.ts';
import { ListsByScope, sourcesIn } from '../lists/lists-by-scope.ts';
import { addNames } from '../lists/names.ts';
import { markTransition } from '../transitions/in-transition.ts';
import { isFloatingIpInTransition } from '../transitions/states-in-transition.ts';
import type { FloatingIp } from './floating-ip-shape.ts';
import { instanceNames } from './name-lists.ts';
import { networkNames } from './networks.ts';

const FIELDS = [
  'id',
  'floating_ip_address',
  'fixed_ip_address',
  'status',
  'port_id',
  'port_details',
  'port_forwardings',
  'floating_network_id',
  'project_id',
  'updated_at',
] as const;

export function presentFloatingIp(floatingIp: Pick<FloatingIpRecord, (typeof FIELDS)[number]>): FloatingIp {
  const { port_details: port } = floatingIp;
  return {
    id: floatingIp.id,
    floating_ip_address: floatingIp.floating_ip_address,
    fixed_ip_address: floatingIp.fixed_ip_address,
    status: floatingIp.status,
    port_id: floatingIp.port_id,
    port_name: port?.name ?? null,
    instance_id: port?.device_owner.startsWith('compute:') === true ? port.device_id || null : null,
    instance_name: null,
    has_port_forwardings: floatingIp.port_forwardings.length > 0,
    floating_network_id: floatingIp.floating_network_id,
    floating_network_name: null,
    project_id: floatingIp.project_id || null,
    project_name: null,
    ...markTransition(isFloatingIpInTransition(floatingIp), `${floatingIp.status} ${floatingIp.port_id}`, {
      changedAt: floatingIp.updated_at,
    }),
  };
}

export function presentFloatingIps(floatingIps: readonly FloatingIpRecord[]): FloatingIp[] {
  return floatingIps.map(presentFloatingIp).sort(byAddress);
}

/** The sources of the names in a floating IP. */
const NAMES = {
  floating_network_id: networkNames,
  instance_id: instanceNames,
  project_id: projectNames,
};

/** Adds the names of networks, instances and the project to a project's floating IPs. */
export function nameFloatingIps(sources: ListSources, floatingIps: FloatingIp[]): Promise<FloatingIp[]> {
  return addNames(sources, floatingIps, sourcesIn('project', NAMES));
}

export function byAddress(a: FloatingIp, b: FloatingIp): number {
  return a.floating_ip_address.localeCompare(b.floating_ip_address, 'en', { numeric: true });
}

/** The floating IPs of all projects, sorted by address. */
export async function readAllFloatingIps({ network }: BoundClient): Promise<FloatingIp[]> {
  return (await network.floatingIps.listFields(FIELDS, presentFloatingIp)).sort(byAddress);
}

async function readFloatingIps({ network }: BoundClient, projectId: string): Promise<FloatingIp[]> {
  return presentFloatingIps(await network.floatingIps.list({ project_id: projectId }));
}

export const floatingIpLists = new ListsByScope<FloatingIp>({
  name: 'floatingIps',
  dependsOn: ['floating_ip', 'port', 'network', 'subnet', 'instance', 'project'],
  lifetime: 'networksSeconds',
  rowsWithStates: (floatingIps) => floatingIps,
  async load(sources, scope) {
    const { openstack, reader } = sources;
    const rows =
      scope === 'cloud'
        ? await readAllFloatingIps(openstack)
        : await readFloatingIps(openstack, reader.projectId);
    return addNames(sources, rows, sourcesIn(scope, NAMES));
  },
});
