import type { TracingConfig } from '../config/index.ts';
import type { Tracing, TracingOptions } from './tracing.ts';

/** Null without an endpoint. The libraries use much memory, so they are loaded only with an endpoint. */
export async function createTracing(config: TracingConfig, options: TracingOptions): Promise<Tracing | null> {
  if (config.endpoint === null) return null;
  const { startTracing } = await import('./open-telemetry.ts');
  return startTracing(config.endpoint, config.sampleRatio, options);
}
