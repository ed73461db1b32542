import type { BoundClient } from '@gateway/openstack';
import { allProjectNames } from '../identity/projects.ts';
import { CachedList } from '../lists/cached-list.ts';
import { addNames } from '../lists/names.ts';
import { allNetworkNames } from './all-networks.ts';
import { byAddress, FLOATING_IP_FIELDS, type FloatingIp, presentFloatingIp } from './floating-ips.ts';
import { allInstanceNames } from './name-lists.ts';

/** The floating IPs of all projects, sorted by address. */
export async function readAllFloatingIps({ network }: BoundClient): Promise<FloatingIp[]> {
  return (await network.floatingIps.listFields(FLOATING_IP_FIELDS, presentFloatingIp)).sort(byAddress);
}

export const allFloatingIpList = new CachedList<FloatingIp[]>({
  name: 'allFloatingIps',
  varyBy: 'nothing',
  dependsOn: ['floating_ip', 'port', 'network', 'subnet', 'instance', 'project'],
  lifetime: 'adminSeconds',
  rowsWithStates: (floatingIps) => floatingIps,
  load: async (sources) =>
    addNames(sources, await readAllFloatingIps(sources.openstack), {
      floating_network_id: allNetworkNames,
      instance_id: allInstanceNames,
      project_id: allProjectNames,
    }),
});
