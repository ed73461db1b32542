export * from './gpu/index.ts';
export * from './kinds/index.ts';
export * from './leftovers/index.ts';
export * from './time-series/index.ts';
