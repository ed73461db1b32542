import type { Tracing, TracingConfig, TracingOptions } from './tracing.ts';

/** Null without an endpoint. The libraries are loaded only with one, because they take memory. */
export async function createTracing(config: TracingConfig, options: TracingOptions): Promise<Tracing | null> {
  if (config.endpoint === null) return null;
  const { startTracing } = await import('./open-telemetry.ts');
  return startTracing(config.endpoint, config.sampleRatio, options);
}
