export * from './missing-service.ts';
export * from './predicates.ts';
export * from './requested-resource.ts';
export * from './upstream-error.ts';
