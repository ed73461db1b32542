export * from './builder/first-boot-data.ts';
export * from './builder/plan.ts';
export * from './encode.ts';
export * from './instance/first-boot-data.ts';
export * from './instance/plan.ts';
export type { LayerShare } from './layer-share.ts';
export * from './password.ts';
export * from './size-check.ts';
