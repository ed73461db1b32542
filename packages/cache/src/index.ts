export * from './keys.ts';
export * from './list-cache.ts';
