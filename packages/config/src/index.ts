export * from './config.ts';
export * from './config-error.ts';
export type { Environment } from './env.ts';
export { isInNetworks } from './is-in-networks.ts';
export * from './library-config.ts';
export * from './lite-config.ts';
export * from './load.ts';
export * from './load-or-exit.ts';
export * from './process-config.ts';
