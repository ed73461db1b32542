export * from './predicates.ts';
export * from './upstream-error.ts';
