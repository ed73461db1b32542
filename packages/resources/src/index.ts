export * from './actions/index.ts';
export * from './creations/index.ts';
export * from './drop-lists.ts';
export * from './file-storages/export-paths.ts';
export * from './file-storages/share-fields.ts';
export * from './gpus/gpu-aliases.ts';
export { readCountedInstances, statsOf } from './instances/cloud-instances.ts';
export * from './instances/workspace-messages.ts';
export * from './instances/workspaces.ts';
export * from './lists/cached-list.ts';
export { isOffered } from './lists/is-offered.ts';
export { type Scope, sourcesIn } from './lists/lists-by-scope.ts';
export { optionalRead, promptOptionalRead } from './lists/optional-read.ts';
export * from './quotas/gpu-quotas.ts';
export * from './resources.ts';
export type * from './shapes.ts';
export * from './transitions/in-transition.ts';
export {
  isContainerInTransition,
  isFileStorageInTransition,
  isLoadBalancerInTransition,
} from './transitions/states-in-transition.ts';
