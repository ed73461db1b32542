export * from './events.ts';
export * from './logger.ts';
export * from './metrics.ts';
