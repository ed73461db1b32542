export * from './config.ts';
export * from './config-error.ts';
export * from './load.ts';
