export * from './config/index.ts';
export * from './runtime/index.ts';
export * from './telemetry/index.ts';
