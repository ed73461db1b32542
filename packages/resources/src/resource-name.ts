/**
 * The resources of the interface that writes change. A write declares what it changes, and a cached list what
 * it depends on. The names follow from the interface, so that a new list needs no new name here. Some
 * resources have no endpoint yet.
 */
export type ResourceName =
  | 'auto_backup'
  | 'backup'
  | 'cluster'
  | 'container'
  | 'domain'
  | 'file_storage'
  | 'flavor'
  | 'floating_ip'
  | 'group'
  | 'hypervisor'
  | 'image'
  | 'instance'
  | 'keypair'
  | 'library'
  | 'lite_cluster'
  | 'load_balancer'
  | 'network'
  | 'port'
  | 'project'
  | 'quota'
  | 'role'
  | 'router'
  | 'security_group'
  | 'server_group'
  | 'snapshot'
  | 'subnet'
  | 'transfer'
  | 'user'
  | 'volume'
  | 'volume_type';

/**
 * The resources of a project whose changes listeners learn. The others have no list of their own in a
 * project, or are the same in all projects.
 */
export const watchedResources = [
  'auto_backup',
  'backup',
  'cluster',
  'container',
  'file_storage',
  'floating_ip',
  'image',
  'instance',
  'keypair',
  'lite_cluster',
  'load_balancer',
  'network',
  'router',
  'security_group',
  'snapshot',
  'transfer',
  'volume',
] as const satisfies readonly ResourceName[];

export type WatchedResource = (typeof watchedResources)[number];

export function isWatched(resource: ResourceName): resource is WatchedResource {
  return (watchedResources as readonly ResourceName[]).includes(resource);
}
