export * from './cached-list.ts';
export * from './drop-lists.ts';
export * from './export-paths.ts';
export * from './gpu.ts';
export * from './marks.ts';
export * from './prebuilt-shares.ts';
export * from './resource-name.ts';
export * from './resources.ts';
