export * from './events.ts';
export type { LogLevel } from './log-record.ts';
export * from './logger.ts';
export * from './metrics.ts';
