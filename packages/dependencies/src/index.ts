export * from './open-dependencies.ts';
export type { ProcessParts } from './process-parts.ts';
