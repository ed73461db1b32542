/**
 * The table of contents, with one line for each resource. Each `CachedList` that a module here exports is
 * cached, and dropped by the writes that change its dependencies (`drop-lists.ts`).
 */
export * from './access-rules.ts';
export * from './account.ts';
export * from './admin/admin-flavors.ts';
export * from './admin/admin-quotas.ts';
export * from './admin/admin-volume-types.ts';
export * from './admin/all-containers.ts';
export * from './admin/all-file-storages.ts';
export * from './admin/all-floating-ips.ts';
export * from './admin/all-instances.ts';
export * from './admin/all-networks.ts';
export * from './admin/all-ports.ts';
export * from './admin/all-routers.ts';
export * from './admin/all-volumes.ts';
export * from './admin/cloud-overview.ts';
export * from './admin/cloud-topology.ts';
export * from './admin/gpu-hosts.ts';
export * from './admin/host-evacuation.ts';
export * from './admin/hypervisor-detail.ts';
export * from './admin/hypervisors.ts';
export * from './admin/leftover-list.ts';
export * from './admin/monitoring-summary.ts';
export * from './admin/network-provider.ts';
export * from './admin/project-contents.ts';
export * from './admin/project-members.ts';
export * from './admin/project-quotas.ts';
export * from './admin/project-usage.ts';
export * from './admin/service-status.ts';
export * from './application-credentials.ts';
export * from './attached-volumes.ts';
export * from './availability-zones.ts';
export * from './backups.ts';
export * from './cluster-templates.ts';
export * from './containers.ts';
export * from './dashboard-quotas.ts';
export * from './dashboard-summary.ts';
export * from './dns-networks.ts';
export * from './domain-names.ts';
export * from './file-storage-quota.ts';
export * from './file-storages.ts';
export * from './flavors.ts';
export * from './floating-ips.ts';
export * from './gpu-availability.ts';
export type { Gpu } from './gpu-providers.ts';
export * from './health-monitors.ts';
export * from './identity/domains.ts';
export * from './identity/groups.ts';
export { type IdentitySearch, isForAll } from './identity/identity-search.ts';
export * from './identity/projects.ts';
export * from './identity/roles.ts';
export * from './identity/users.ts';
export * from './images.ts';
export * from './instance-list.ts';
export * from './instances.ts';
export * from './interfaces.ts';
export * from './keypairs.ts';
export * from './libraries.ts';
export * from './library-shares.ts';
export * from './limits.ts';
export * from './listeners.ts';
export * from './load-balancer-quota.ts';
export * from './load-balancers.ts';
export * from './managed-clusters.ts';
export * from './name-lists.ts';
export {
  addNames,
  knownNames,
  type NameSource,
  namesFrom,
  namesRead,
  ownProjectName,
  withNames,
} from './names.ts';
export * from './network-detail.ts';
export * from './networks.ts';
export * from './pool-members.ts';
export * from './pools.ts';
export * from './router-detail.ts';
export * from './routers.ts';
export * from './security-groups.ts';
export * from './server-groups.ts';
export * from './share-networks.ts';
export * from './share-types.ts';
export * from './snapshots.ts';
export * from './subnets.ts';
export * from './topology.ts';
export * from './transfers.ts';
export * from './usage.ts';
export * from './user-dashboard.ts';
export * from './volume-types.ts';
export * from './volumes.ts';
