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
  | 'file_storage'
  | 'flavor'
  | 'floating_ip'
  | 'group'
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
  | 'snapshot'
  | 'subnet'
  | 'transfer'
  | 'user'
  | 'volume';
