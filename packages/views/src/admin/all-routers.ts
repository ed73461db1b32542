import { type BoundClient, ROUTER_PORTS } from '@gateway/openstack';
import { CachedList } from '../cached-list.ts';
import { isBeingBuilt } from '../networks.ts';
import { presentRouters, type Router } from '../routers.ts';

/** The routers of all projects, sorted by name. Reads two lists concurrently. */
async function readAllRouters({ network }: BoundClient): Promise<Router[]> {
  const [routers, interfaces] = await Promise.all([
    network.routers.listFields(
      ['id', 'name', 'status', 'project_id', 'external_gateway_info'],
      (router) => router,
    ),
    network.ports.listFields(['device_id', 'fixed_ips'], (port) => port, { device_owner: ROUTER_PORTS }),
  ]);
  return presentRouters({ routers, interfaces });
}

export const allRouterList = new CachedList<Router[]>({
  name: 'allRouters',
  varyBy: 'nothing',
  dependsOn: ['router', 'port', 'subnet'],
  lifetime: 'adminSeconds',
  isInTransition: (routers) => routers.some(isBeingBuilt),
  load: ({ openstack }) => readAllRouters(openstack),
});
