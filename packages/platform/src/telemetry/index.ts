export * from './create-tracing.ts';
export * from './events.ts';
export * from './logger.ts';
export { maskSecrets } from './mask-secrets.ts';
export * from './metrics.ts';
export * from './tracing.ts';
