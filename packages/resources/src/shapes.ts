/**
 * The shapes of what is shown of the resources, from which their types are inferred. An export of its own,
 * so that only who describes responses loads it.
 */

export * from './actions/action-fields.ts';
export * from './clusters/cluster-template-shape.ts';
export * from './clusters/managed-cluster-shape.ts';
export * from './dashboards/cloud-overview-shape.ts';
export * from './dashboards/dashboard-summary-shape.ts';
export * from './dashboards/leftovers-shape.ts';
export * from './dashboards/service-status-shape.ts';
export * from './file-storages/access-rule-shape.ts';
export * from './file-storages/file-storage-shape.ts';
export * from './file-storages/library-shape.ts';
export * from './file-storages/share-network-shape.ts';
export * from './file-storages/share-type-shape.ts';
export * from './flavors/admin-flavor-shape.ts';
export * from './flavors/flavor-shape.ts';
export * from './gpus/gpu-alias-shape.ts';
export * from './gpus/gpu-hosts-shape.ts';
export * from './hypervisors/evacuation-preview-shape.ts';
export * from './hypervisors/hypervisor-shape.ts';
export * from './identity/admin-project-shape.ts';
export * from './identity/application-credential-shape.ts';
export * from './identity/domain-shape.ts';
export * from './identity/group-shape.ts';
export * from './identity/profile-shape.ts';
export * from './identity/project-member-shape.ts';
export * from './identity/project-shape.ts';
export * from './identity/role-shape.ts';
export * from './identity/user-shape.ts';
export * from './images/image-shape.ts';
export * from './instances/availability-zone-shape.ts';
export * from './instances/instance-counts-shape.ts';
export * from './instances/server-group-shape.ts';
export * from './key-pairs/keypair-shape.ts';
export * from './lists/unavailable.ts';
export * from './load-balancers/health-monitor-shape.ts';
export * from './load-balancers/listener-shape.ts';
export * from './load-balancers/load-balancer-shape.ts';
export * from './load-balancers/pool-member-shape.ts';
export * from './load-balancers/pool-shape.ts';
export * from './networks/fixed-ips-shape.ts';
export * from './networks/port-shape.ts';
export * from './quotas/dashboard-quotas-shape.ts';
export * from './quotas/file-storage-quota-shape.ts';
export * from './quotas/gpu-quotas-shape.ts';
export * from './quotas/quota-value.ts';
export * from './quotas/usage-shape.ts';
export * from './volumes/admin-volume-type-shape.ts';
export * from './volumes/backup-shape.ts';
export * from './volumes/snapshot-shape.ts';
export * from './volumes/transfer-shape.ts';
export * from './volumes/volume-shape.ts';
export * from './volumes/volume-type-shape.ts';
