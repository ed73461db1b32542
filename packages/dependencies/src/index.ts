export type { Cloud } from './open-cloud.ts';
export * from './open-dependencies.ts';
export type { ProcessParts } from './process-parts.ts';
export type { Stores } from './stores.ts';
