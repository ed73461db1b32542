import { type ExportResult, ExportResultCode } from '@opentelemetry/core';
import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace';
import type { TracingOptions } from './tracing.ts';

/**
 * An exporter that logs when its exports begin to fail, and when they succeed again. Lost
 * spans are not sent again.
 */
export function reportExports(exporter: SpanExporter, logger: TracingOptions['logger']): SpanExporter {
  let isFailing = false;
  return {
    export(spans: ReadableSpan[], done: (result: ExportResult) => void) {
      exporter.export(spans, (result) => {
        const hasFailed = result.code === ExportResultCode.FAILED;
        if (hasFailed && !isFailing) logger.warn('Traces cannot be exported', { error: result.error });
        if (!hasFailed && isFailing) logger.info('Traces are exported again');
        isFailing = hasFailed;
        done(result);
      });
    },
    shutdown: () => exporter.shutdown(),
    forceFlush: async () => exporter.forceFlush?.(),
  };
}
