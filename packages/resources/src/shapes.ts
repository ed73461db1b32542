/**
 * The shapes of what is shown of the resources, from which their types are inferred. An export of its own,
 * so that only who describes responses loads it.
 */

export * from './actions/action-fields.ts';
export * from './flavors/flavor-fields.ts';
export * from './identity/domain-shape.ts';
export * from './identity/group-shape.ts';
export * from './identity/role-shape.ts';
export * from './networks/fixed-ips-shape.ts';
export * from './quotas/quota-value.ts';
