export * from './account.ts';
export * from './cached-lists.ts';
export * from './flavors.ts';
export * from './gpu.ts';
export * from './images.ts';
export * from './instances.ts';
export * from './keypairs.ts';
export * from './prebuilt-shares.ts';
