export * from './metadata.ts';
export * from './prebuilt.ts';
export * from './resolve.ts';
export * from './share-metadata.ts';
export * from './strategy.ts';
export * from './validate.ts';
