import { CachedList } from '../lists/cached-list.ts';
import { ListsByScope, namesByScope, projectsIn } from '../lists/lists-by-scope.ts';
import type { Named } from '../lists/names.ts';
import { networkLists } from './networks.ts';

/**
 * The names of resources whose own lists have more than the lists that show these names need. One upstream
 * call each, shared by all lists that show the names.
 */

export const instanceNameLists = new ListsByScope<Named>({
  name: 'instanceNames',
  dependsOn: ['instance'],
  lifetime: 'instancesSeconds',
  load: ({ openstack }, scope) => openstack.compute.servers.listAs(nameOf, projectsIn(scope)),
});

export const volumeNameLists = new ListsByScope<Named>({
  name: 'volumeNames',
  dependsOn: ['volume'],
  lifetime: 'volumesSeconds',
  load: ({ openstack }, scope) => openstack.blockStorage.volumes.listAs(nameOf, projectsIn(scope)),
});

export const shareNetworkNameLists = new ListsByScope<Named>({
  name: 'shareNetworkNames',
  dependsOn: ['share_network', 'project'],
  lifetime: 'choicesSeconds',
  load: async ({ openstack }, scope) =>
    (await openstack.sharedFileSystem.shareNetworks.list(projectsIn(scope))).map(nameOf),
});

export const shareNameLists = new ListsByScope<Named>({
  name: 'shareNames',
  dependsOn: ['file_storage', 'library', 'project'],
  lifetime: 'fileStoragesSeconds',
  load: async ({ openstack }, scope) =>
    (await openstack.sharedFileSystem.shares.list(projectsIn(scope))).map(nameOf),
});

export const routerNameList = new CachedList<Named[]>({
  name: 'routerNames',
  varyBy: 'project',
  dependsOn: ['router', 'project'],
  lifetime: 'networksSeconds',
  load: async ({ openstack, reader }) =>
    (await openstack.network.routers.list({ project_id: reader.projectId })).map(nameOf),
});

const SUBNET_FIELDS = ['id', 'name', 'network_id', 'project_id'] as const;

/**
 * In a project, the subnets that its members may read: its own, and those of networks that it owns or that
 * are shared. For an administrator the service lists all subnets.
 */
export const subnetNameLists = new ListsByScope<Named>({
  name: 'subnetNames',
  dependsOn: ['network', 'subnet', 'project'],
  lifetime: 'networksSeconds',
  async load(sources, scope) {
    const { subnets: service } = sources.openstack.network;
    if (scope === 'cloud') return service.listFields(['id', 'name'], nameOf);
    const { projectId } = sources.reader;
    const [subnets, networks] = await Promise.all([
      service.listFields(SUBNET_FIELDS, (subnet) => subnet),
      networkLists.project.read(sources),
    ]);
    const open = networks.filter(({ is_shared, project_id }) => is_shared || project_id === projectId);
    const openIds = new Set(open.map(({ id }) => id));
    return subnets
      .filter(({ network_id, project_id }) => project_id === projectId || openIds.has(network_id))
      .map(nameOf);
  },
});

function nameOf({ id, name }: Named): Named {
  return { id, name };
}

export const instanceNames = namesByScope(instanceNameLists);
export const volumeNames = namesByScope(volumeNameLists);
export const shareNetworkNames = namesByScope(shareNetworkNameLists);
export const shareNames = namesByScope(shareNameLists);
export const subnetNames = namesByScope(subnetNameLists);
