/**
 * The shapes of what is shown of the resources, from which their types are inferred. An export of its own,
 * so that only who describes responses loads it.
 */

export * from './actions/action-fields.ts';
export * from './clusters/cluster-template-shape.ts';
export * from './clusters/managed-cluster-shape.ts';
export * from './flavors/flavor-fields.ts';
export * from './flavors/flavor-shape.ts';
export * from './identity/domain-shape.ts';
export * from './identity/group-shape.ts';
export * from './identity/role-shape.ts';
export * from './images/image-shape.ts';
export * from './instances/server-group-shape.ts';
export * from './key-pairs/keypair-shape.ts';
export * from './load-balancers/health-monitor-shape.ts';
export * from './load-balancers/listener-shape.ts';
export * from './load-balancers/load-balancer-shape.ts';
export * from './load-balancers/pool-member-shape.ts';
export * from './load-balancers/pool-shape.ts';
export * from './networks/fixed-ips-shape.ts';
export * from './quotas/quota-value.ts';
export * from './volumes/backup-shape.ts';
export * from './volumes/snapshot-shape.ts';
export * from './volumes/transfer-shape.ts';
export * from './volumes/volume-shape.ts';
export * from './volumes/volume-type-shape.ts';
