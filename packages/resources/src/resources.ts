/**
 * The table of contents, with one line for each resource. Each `CachedList` that a module here exports is
 * cached, and dropped by the writes that change its dependencies (`drop-lists.ts`).
 */

export * from './clusters/all-managed-clusters.ts';
export * from './clusters/cluster-templates.ts';
export * from './clusters/managed-clusters.ts';
export * from './containers/all-containers.ts';
export * from './containers/containers.ts';
export * from './dashboards/cloud-overview.ts';
export * from './dashboards/dashboard-summary.ts';
export * from './dashboards/leftover-list.ts';
export * from './dashboards/monitoring-summary.ts';
export * from './dashboards/project-contents.ts';
export * from './dashboards/project-usage.ts';
export * from './dashboards/service-status.ts';
export * from './dashboards/user-dashboard.ts';
export * from './file-storages/access-rules.ts';
export * from './file-storages/file-storages.ts';
export * from './file-storages/libraries.ts';
export * from './file-storages/library-shares.ts';
export * from './file-storages/security-services.ts';
export * from './file-storages/share-networks.ts';
export * from './file-storages/share-snapshots.ts';
export * from './file-storages/share-types.ts';
export * from './flavors/admin-flavors.ts';
export * from './flavors/flavors.ts';
export * from './gpus/gpu-availability.ts';
export * from './gpus/gpu-hosts.ts';
export * from './hypervisors/host-evacuation.ts';
export * from './hypervisors/hypervisor-detail.ts';
export * from './hypervisors/hypervisors.ts';
export * from './identity/account.ts';
export * from './identity/application-credentials.ts';
export * from './identity/domain-names.ts';
export * from './identity/domains.ts';
export * from './identity/groups.ts';
export { type IdentitySearch, isForAll } from './identity/identity-search.ts';
export * from './identity/project-members.ts';
export * from './identity/projects.ts';
export * from './identity/roles.ts';
export * from './identity/users.ts';
export * from './images/images.ts';
export * from './instances/all-instances.ts';
export * from './instances/attached-volumes.ts';
export * from './instances/availability-zones.ts';
export * from './instances/instance-list.ts';
export * from './instances/instances.ts';
export * from './instances/server-groups.ts';
export * from './key-pairs/keypairs.ts';
export {
  addNames,
  knownNames,
  type NameSource,
  namesFrom,
  namesRead,
  ownProjectName,
  withNames,
} from './lists/names.ts';
export * from './load-balancers/health-monitors.ts';
export * from './load-balancers/listeners.ts';
export * from './load-balancers/load-balancers.ts';
export * from './load-balancers/pool-members.ts';
export * from './load-balancers/pools.ts';
export * from './networks/all-ports.ts';
export * from './networks/cloud-topology.ts';
export * from './networks/dns-networks.ts';
export * from './networks/floating-ips.ts';
export * from './networks/interfaces.ts';
export * from './networks/name-lists.ts';
export * from './networks/network-detail.ts';
export * from './networks/network-provider.ts';
export * from './networks/networks.ts';
export * from './networks/router-detail.ts';
export * from './networks/routers.ts';
export * from './networks/security-groups.ts';
export * from './networks/subnets.ts';
export * from './networks/topology.ts';
export * from './quotas/admin-quotas.ts';
export * from './quotas/dashboard-quotas.ts';
export * from './quotas/file-storage-quota.ts';
export * from './quotas/limits.ts';
export * from './quotas/project-quotas.ts';
export * from './quotas/quotas-in-use.ts';
export * from './quotas/usage.ts';
export * from './volumes/admin-volume-types.ts';
export * from './volumes/all-volumes.ts';
export * from './volumes/backups.ts';
export * from './volumes/snapshots.ts';
export * from './volumes/transfers.ts';
export * from './volumes/volume-types.ts';
export * from './volumes/volumes.ts';
