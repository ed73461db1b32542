export { claimStore } from './claim-store.ts';
export * from './cloud-checks.ts';
export { forgetProject } from './forget-project.ts';
export * from './microversion-check.ts';
export * from './open-dependencies.ts';
export type { ProcessParts } from './process-parts.ts';
export { reloadConfig } from './reload.ts';
export * from './rights.ts';
export * from './use-store.ts';
