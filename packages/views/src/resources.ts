/**
 * The table of contents: one line for each resource. What a module here exports as a `CachedList` is cached, and is
 * dropped by the writes that change what the list depends on (`drop-lists.ts`).
 */
export * from './access-rules.ts';
export * from './account.ts';
export * from './admin/all-containers.ts';
export * from './admin/all-file-storages.ts';
export * from './admin/all-floating-ips.ts';
export * from './admin/all-instances.ts';
export * from './admin/all-networks.ts';
export * from './admin/all-ports.ts';
export * from './admin/all-routers.ts';
export * from './admin/all-volumes.ts';
export * from './attached-volumes.ts';
export * from './backups.ts';
export * from './clusters.ts';
export * from './containers.ts';
export * from './dashboard-quotas.ts';
export * from './dashboard-summary.ts';
export * from './file-storage-quota.ts';
export * from './file-storages.ts';
export * from './flavors.ts';
export * from './floating-ips.ts';
export * from './gpu-availability.ts';
export * from './images.ts';
export * from './instance-list.ts';
export * from './instances.ts';
export * from './interfaces.ts';
export * from './keypairs.ts';
export * from './libraries.ts';
export * from './library-shares.ts';
export * from './limits.ts';
export * from './load-balancers.ts';
export * from './network-detail.ts';
export * from './networks.ts';
export * from './router-detail.ts';
export * from './routers.ts';
export * from './security-groups.ts';
export * from './share-types.ts';
export * from './snapshots.ts';
export * from './subnets.ts';
export * from './topology.ts';
export * from './transfers.ts';
export * from './usage.ts';
export * from './user-dashboard.ts';
export * from './volumes.ts';
