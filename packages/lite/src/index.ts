export type * from './cluster.ts';
export * from './names.ts';
export * from './plugin-keys.ts';
export * from './security-rules.ts';
export * from './settings.ts';
export * from './store.ts';
