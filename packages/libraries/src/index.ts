export * from './build-settings.ts';
export * from './metadata.ts';
export * from './prebuilt.ts';
export * from './resolve.ts';
export * from './share-metadata.ts';
export * from './share-protocol.ts';
export * from './strategy.ts';
export * from './validate.ts';
