export type * from './cluster.ts';
export * from './health.ts';
export { HealthResults } from './health-results.ts';
export { buildKubeconfig, type Kubeconfig, parseKubeconfig } from './kubeconfig.ts';
export * from './names.ts';
export * from './plugin-keys.ts';
export * from './security-rules.ts';
export * from './settings.ts';
export * from './store.ts';
