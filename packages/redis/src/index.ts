export * from './away.ts';
export * from './client.ts';
export * from './confirmed.ts';
export * from './connections.ts';
export * from './load-script.ts';
export * from './outages.ts';
export * from './readiness.ts';
export * from './settings.ts';
