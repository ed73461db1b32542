export { type CachedBody, pack } from './entry.ts';
export * from './keys.ts';
export * from './list-cache.ts';
