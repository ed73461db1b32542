import { AsyncLocalStorage } from 'node:async_hooks';
import { hostname } from 'node:os';
import { withinTime } from '@gateway/core';
import {
  type Context,
  defaultTextMapGetter,
  defaultTextMapSetter,
  type Span as OtelSpan,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api';
import { parseKeyPairsIntoRecord, W3CTraceContextPropagator } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import { reportExports } from './report-exports.ts';
import type {
  ActionOptions,
  Span,
  SpanAttributes,
  SpanOptions,
  TraceContext,
  Tracing,
  TracingOptions,
} from './tracing.ts';

const EXPORT_INTERVAL_MS = 1_000;
const EXPORT_TIMEOUT_MS = 5_000;
/** The maximum time that a stopping process waits for the export of its last spans. */
const CLOSE_TIMEOUT_MS = 2_000;

const KINDS = {
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  producer: SpanKind.PRODUCER,
  consumer: SpanKind.CONSUMER,
  internal: SpanKind.INTERNAL,
} as const;

const propagator = new W3CTraceContextPropagator();

/** Exports to the OTLP/HTTP receiver at `endpoint`. Registers nothing globally. */
export function startTracing(endpoint: string, sampleRatio: number, options: TracingOptions): Tracing {
  const exporter = new OTLPTraceExporter({
    url: `${endpoint.endsWith('/') ? endpoint.slice(0, -1) : endpoint}/v1/traces`,
    timeoutMillis: EXPORT_TIMEOUT_MS,
    headers: parseKeyPairsIntoRecord(options.headers ?? undefined),
  });
  const provider = new TracerProvider({
    resource: resourceFromAttributes({
      'service.namespace': 'cloud-resource-gateway',
      'service.name': `gateway-${options.service}`,
      'service.instance.id': `${hostname()}:${process.pid}`,
      ...options.origin,
    }),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(sampleRatio) }),
    spanProcessors: [
      new BatchSpanProcessor({
        exporter: reportExports(exporter, options.logger),
        scheduledDelayMillis: EXPORT_INTERVAL_MS,
        exportTimeoutMillis: EXPORT_TIMEOUT_MS,
      }),
    ],
  });
  return new OpenTelemetryTracing(provider);
}

class OpenTelemetryTracing implements Tracing {
  readonly #provider: TracerProvider;
  readonly #tracer: Tracer;
  readonly #active = new AsyncLocalStorage<TracedSpan>();

  constructor(provider: TracerProvider) {
    this.#provider = provider;
    this.#tracer = provider.getTracer('cloud-resource-gateway');
  }

  start(name: string, { kind, attributes = {}, parent }: SpanOptions): TracedSpan {
    const context =
      parent === undefined
        ? (this.#active.getStore()?.otelContext ?? ROOT_CONTEXT)
        : propagator.extract(ROOT_CONTEXT, parent, defaultTextMapGetter);
    return new TracedSpan(this.#tracer.startSpan(name, { kind: KINDS[kind], attributes }, context));
  }

  activate<Result>(span: TracedSpan, action: () => Result): Result {
    return this.#active.run(span, action);
  }

  async inSpan<Result>(
    name: string,
    { isExpected, ...options }: ActionOptions,
    action: (span: Span) => Promise<Result>,
  ): Promise<Result> {
    const span = this.start(name, options);
    try {
      return await this.activate(span, () => action(span));
    } catch (error) {
      if (isExpected?.(error) !== true) span.fail(errorType(error));
      throw error;
    } finally {
      span.end();
    }
  }

  active(): Span | null {
    return this.#active.getStore() ?? null;
  }

  async close(): Promise<void> {
    const shutdown = this.#provider.shutdown().catch(() => {});
    await withinTime(shutdown, CLOSE_TIMEOUT_MS, () => {});
  }
}

class TracedSpan implements Span {
  readonly otelContext: Context;
  readonly #span: OtelSpan;

  constructor(span: OtelSpan) {
    this.#span = span;
    this.otelContext = trace.setSpan(ROOT_CONTEXT, span);
  }

  get context(): TraceContext {
    const headers = { traceparent: '' };
    propagator.inject(this.otelContext, headers, defaultTextMapSetter);
    return headers;
  }

  rename(name: string): void {
    this.#span.updateName(name);
  }

  set(attributes: SpanAttributes): void {
    this.#span.setAttributes(attributes);
  }

  fail(type: string): void {
    this.#span.setStatus({ code: SpanStatusCode.ERROR });
    this.#span.setAttribute('error.type', type);
  }

  end(): void {
    this.#span.end();
  }
}

/** The code of a `GatewayError`, else the name of its class. Messages can quote a service's response. */
function errorType(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name;
}
