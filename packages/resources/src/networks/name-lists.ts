import { CachedList } from '../lists/cached-list.ts';
import { type Named, namesFrom } from '../lists/names.ts';
import { networkList } from './networks.ts';

/**
 * The names of resources whose own lists have more than the lists that show these names need. One upstream
 * call each, shared by all lists that show the names.
 */

export const instanceNameList = new CachedList<Named[]>({
  name: 'instanceNames',
  varyBy: 'project',
  dependsOn: ['instance'],
  lifetime: 'instancesSeconds',
  load: ({ openstack }) => openstack.compute.servers.listAs(({ id, name }) => ({ id, name })),
});

export const volumeNameList = new CachedList<Named[]>({
  name: 'volumeNames',
  varyBy: 'project',
  dependsOn: ['volume'],
  lifetime: 'volumesSeconds',
  load: ({ openstack }) => openstack.blockStorage.volumes.listAs(({ id, name }) => ({ id, name })),
});

export const shareNetworkNameList = new CachedList<Named[]>({
  name: 'shareNetworkNames',
  varyBy: 'project',
  dependsOn: ['project'],
  lifetime: 'choicesSeconds',
  load: async ({ openstack }) => (await openstack.sharedFileSystem.shareNetworks.list()).map(nameOf),
});

export const routerNameList = new CachedList<Named[]>({
  name: 'routerNames',
  varyBy: 'project',
  dependsOn: ['router', 'project'],
  lifetime: 'networksSeconds',
  load: async ({ openstack, reader }) =>
    (await openstack.network.routers.list({ project_id: reader.projectId })).map(nameOf),
});

export const shareNameList = new CachedList<Named[]>({
  name: 'shareNames',
  varyBy: 'project',
  dependsOn: ['file_storage', 'library', 'project'],
  lifetime: 'fileStoragesSeconds',
  load: async ({ openstack }) => (await openstack.sharedFileSystem.shares.list()).map(nameOf),
});

const SUBNET_FIELDS = ['id', 'name', 'network_id', 'project_id'] as const;

/**
 * The subnets that members of the project may read: its own, and those of networks that it owns or that are
 * shared. For an administrator the service lists all subnets.
 */
export const subnetNameList = new CachedList<Named[]>({
  name: 'subnetNames',
  varyBy: 'project',
  dependsOn: ['network', 'subnet', 'project'],
  lifetime: 'networksSeconds',
  async load(sources) {
    const { projectId } = sources.reader;
    const [subnets, networks] = await Promise.all([
      sources.openstack.network.subnets.listFields(SUBNET_FIELDS, (subnet) => subnet),
      networkList.read(sources),
    ]);
    const open = networks.filter(({ is_shared, project_id }) => is_shared || project_id === projectId);
    const openIds = new Set(open.map(({ id }) => id));
    return subnets
      .filter(({ network_id, project_id }) => project_id === projectId || openIds.has(network_id))
      .map(({ id, name }) => ({ id, name }));
  },
});

/** The same of all projects, for administrators. */
export const allInstanceNameList = new CachedList<Named[]>({
  name: 'allInstanceNames',
  varyBy: 'nothing',
  dependsOn: ['instance'],
  lifetime: 'adminSeconds',
  load: ({ openstack }) =>
    openstack.compute.servers.listAs(({ id, name }) => ({ id, name }), { all_tenants: 1 }),
});

export const allShareNetworkNameList = new CachedList<Named[]>({
  name: 'allShareNetworkNames',
  varyBy: 'nothing',
  dependsOn: ['project'],
  lifetime: 'adminSeconds',
  load: async ({ openstack }) =>
    (await openstack.sharedFileSystem.shareNetworks.list({ all_tenants: 1 })).map(nameOf),
});

export const allShareNameList = new CachedList<Named[]>({
  name: 'allShareNames',
  varyBy: 'nothing',
  dependsOn: ['file_storage', 'library'],
  lifetime: 'adminSeconds',
  load: async ({ openstack }) =>
    (await openstack.sharedFileSystem.shares.list({ all_tenants: 1 })).map(nameOf),
});

export const allVolumeNameList = new CachedList<Named[]>({
  name: 'allVolumeNames',
  varyBy: 'nothing',
  dependsOn: ['volume'],
  lifetime: 'adminSeconds',
  load: ({ openstack }) => openstack.blockStorage.volumes.listAs(nameOf, { all_tenants: 1 }),
});

export const allSubnetNameList = new CachedList<Named[]>({
  name: 'allSubnetNames',
  varyBy: 'nothing',
  dependsOn: ['subnet'],
  lifetime: 'adminSeconds',
  load: ({ openstack }) =>
    openstack.network.subnets.listFields(['id', 'name'], ({ id, name }) => ({ id, name })),
});

function nameOf({ id, name }: Named): Named {
  return { id, name };
}

export const instanceNames = namesFrom(instanceNameList);
export const volumeNames = namesFrom(volumeNameList);
export const subnetNames = namesFrom(subnetNameList);
export const ownRouterNames = namesFrom(routerNameList);
export const shareNames = namesFrom(shareNameList);
export const allInstanceNames = namesFrom(allInstanceNameList);
export const shareNetworkNames = namesFrom(shareNetworkNameList);
export const allShareNetworkNames = namesFrom(allShareNetworkNameList);
export const allShareNames = namesFrom(allShareNameList);
export const allVolumeNames = namesFrom(allVolumeNameList);
export const allSubnetNames = namesFrom(allSubnetNameList);
