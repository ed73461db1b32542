import { type BoundClient, type PortRecord, ROUTER_PORTS, type RouterRecord } from '@gateway/openstack';
import { projectNames } from '../identity/projects.ts';
import type { ListSources } from '../lists/cached-list.ts';
import { type ByScope, ListsByScope, sourcesIn } from '../lists/lists-by-scope.ts';
import { addNames, type NameSource, namesFrom } from '../lists/names.ts';
import { markTransition } from '../transitions/in-transition.ts';
import { isBeingBuilt } from '../transitions/states-in-transition.ts';
import { routerNameList, subnetNames } from './name-lists.ts';
import { byName, networkNames } from './networks.ts';
import type { Router } from './router-shape.ts';

/** The fields of a router that its row needs. */
export const ROUTER_FIELDS = [
  'id',
  'name',
  'status',
  'admin_state_up',
  'project_id',
  'external_gateway_info',
  'created_at',
  'updated_at',
] as const;

type RouterFields = Pick<RouterRecord, (typeof ROUTER_FIELDS)[number]>;
type InterfaceFields = Pick<PortRecord, 'device_id' | 'fixed_ips'>;

/**
 * @param ports the router's interfaces; ports of other devices are ignored
 */
export function presentRouter(router: RouterFields, ports: readonly InterfaceFields[]): Router {
  const own = ports.filter(({ device_id }) => device_id === router.id);
  const subnetIds = subnetIdsOf(own);
  return {
    id: router.id,
    name: router.name,
    status: router.status,
    admin_state_up: router.admin_state_up,
    project_id: router.project_id,
    project_name: null,
    external_gateway_network_id: router.external_gateway_info?.network_id ?? null,
    external_gateway_network_name: null,
    connected_subnet_ids: subnetIds,
    connected_subnet_names: subnetIds.map(() => null),
    ...markTransition(isBeingBuilt(router), router.status, {
      changedAt: router.updated_at,
      createdAt: router.created_at,
    }),
  };
}

/** The sources of the names in a router. */
export const namesInRouter = {
  project_id: projectNames,
  external_gateway_network_id: networkNames,
  connected_subnet_ids: subnetNames,
};

/** Adds the names of the project, of networks and of subnets to a project's routers. */
export function nameRouters(sources: ListSources, routers: Router[]): Promise<Router[]> {
  return addNames(sources, routers, sourcesIn('project', namesInRouter));
}

function subnetIdsOf(ports: readonly InterfaceFields[]): string[] {
  const ids = ports.flatMap(({ fixed_ips }) => fixed_ips.map(({ subnet_id }) => subnet_id));
  return [...new Set(ids.filter((id) => id !== ''))].sort();
}

interface RoutersAndPorts {
  routers: RouterRecord[];
  /** The ports that are interfaces of routers, without those of gateways and of the router itself. */
  interfaces: PortRecord[];
}

/**
 * The project's routers and their interfaces, or all that the caller sees. Makes two concurrent calls,
 * however many routers there are.
 */
export async function readRouters({ network }: BoundClient, projectId?: string): Promise<RoutersAndPorts> {
  const [routers, interfaces] = await Promise.all([
    network.routers.list({ project_id: projectId }),
    network.ports.list({ project_id: projectId, device_owner: ROUTER_PORTS }),
  ]);
  return { routers, interfaces };
}

export function presentRouters({
  routers,
  interfaces,
}: {
  routers: readonly RouterFields[];
  interfaces: readonly InterfaceFields[];
}): Router[] {
  const byRouter = Map.groupBy(interfaces, ({ device_id }) => device_id);
  return routers.map((router) => presentRouter(router, byRouter.get(router.id) ?? [])).toSorted(byName);
}

/** The same of all projects, with the fields that rows need. */
async function readAllRouters({ network }: BoundClient) {
  const [routers, interfaces] = await Promise.all([
    network.routers.listFields(ROUTER_FIELDS, (router) => router),
    network.ports.listFields(['device_id', 'fixed_ips'], (port) => port, { device_owner: ROUTER_PORTS }),
  ]);
  return { routers, interfaces };
}

export const routerLists = new ListsByScope<Router>({
  name: 'routers',
  dependsOn: ['router', 'port', 'network', 'subnet', 'project'],
  lifetime: 'networksSeconds',
  rowsWithStates: (routers) => routers,
  async load(sources, scope) {
    const { openstack, reader } = sources;
    const read =
      scope === 'cloud' ? await readAllRouters(openstack) : await readRouters(openstack, reader.projectId);
    return addNames(sources, presentRouters(read), sourcesIn(scope, namesInRouter));
  },
});

export const routerNames: ByScope<NameSource> = {
  project: namesFrom(routerNameList),
  cloud: namesFrom(routerLists.cloud),
};
