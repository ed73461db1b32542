export * from './create-tracing.ts';
export * from './events.ts';
export type { LogLevel } from './log-record.ts';
export * from './logger.ts';
export { maskSecrets } from './mask-secrets.ts';
export * from './metrics.ts';
export * from './tracing.ts';
