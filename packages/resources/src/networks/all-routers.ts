import { type BoundClient, ROUTER_PORTS } from '@gateway/openstack';
import { allProjectNames } from '../identity/projects.ts';
import { CachedList } from '../lists/cached-list.ts';
import { addNames, namesFrom } from '../lists/names.ts';
import { allNetworkNames } from './all-networks.ts';
import { allSubnetNames } from './name-lists.ts';
import { presentRouters, ROUTER_FIELDS, type Router } from './routers.ts';

/** The routers of all projects, sorted by name. Reads two lists concurrently. */
async function readAllRouters({ network }: BoundClient): Promise<Router[]> {
  const [routers, interfaces] = await Promise.all([
    network.routers.listFields(ROUTER_FIELDS, (router) => router),
    network.ports.listFields(['device_id', 'fixed_ips'], (port) => port, { device_owner: ROUTER_PORTS }),
  ]);
  return presentRouters({ routers, interfaces });
}

/** The sources of the names in a router of any project, for administrators. */
export const routerNamesOfAll = {
  project_id: allProjectNames,
  external_gateway_network_id: allNetworkNames,
  connected_subnet_ids: allSubnetNames,
};

export const allRouterList = new CachedList<Router[]>({
  name: 'allRouters',
  varyBy: 'nothing',
  dependsOn: ['router', 'port', 'network', 'subnet', 'project'],
  lifetime: 'adminSeconds',
  rowsWithStates: (routers) => routers,
  load: async (sources) => addNames(sources, await readAllRouters(sources.openstack), routerNamesOfAll),
});

/** For lists that only administrators read. */
export const allRouterNames = namesFrom(allRouterList);
