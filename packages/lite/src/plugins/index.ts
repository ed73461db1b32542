export * from './aggregate.ts';
export type { ClusterKey, NodeFile } from './plugin.ts';
export * from './requirements.ts';
export type { PluginSettings } from './settings.ts';
