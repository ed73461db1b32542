export { isPluginAccessRule } from './access-request.ts';
export * from './aggregate.ts';
export * from './credential-holders.ts';
export { gpuNodeArguments } from './gpu/index.ts';
export * from './requirements.ts';
export type { PluginSettings } from './settings.ts';
export { type PluginWorkload, pluginImages, pluginWorkloads, workloadQuery } from './workloads.ts';
