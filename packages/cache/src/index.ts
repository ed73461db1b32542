export * from './compress.ts';
export { type CachedBody, serialize } from './entry.ts';
export * from './keys.ts';
export * from './list-cache.ts';
export type { LoadOptions } from './load-options.ts';
