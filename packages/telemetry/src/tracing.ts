import type { Logger } from './logger.ts';

/** The headers of the W3C Trace Context that make a call or a job part of a trace. */
export interface TraceContext {
  traceparent: string;
  tracestate?: string;
}

/** Few and short values. Never tokens, bodies, names or addresses of resources. */
export type SpanAttributes = Record<string, string | number | boolean | undefined>;

export interface SpanOptions {
  kind: 'server' | 'client' | 'producer' | 'consumer' | 'internal';
  attributes?: SpanAttributes;
  /** Defaults to the active span. A context that is not valid counts as none: the span then begins a trace. */
  parent?: Partial<TraceContext>;
}

export interface ActionOptions extends SpanOptions {
  /** Errors that only hand the work over to a later run. The span then counts as successful. */
  isExpected?(error: unknown): boolean;
}

export interface Span {
  readonly context: TraceContext;
  rename(name: string): void;
  set(attributes: SpanAttributes): void;
  /** Marks the span as failed. `type` is a class of errors or a status, never a message. */
  fail(type: string): void;
  end(): void;
}

/** Records spans and exports them. The active span follows the asynchronous calls of the action it is active in. */
export interface Tracing {
  start(name: string, options: SpanOptions): Span;
  /** Runs the action with the span as the active one. Does not end the span. */
  activate<Result>(span: Span, action: () => Result): Result;
  /** Runs the action within a new span, which ends with it. */
  inSpan<Result>(
    name: string,
    options: ActionOptions,
    action: (span: Span) => Promise<Result>,
  ): Promise<Result>;
  /** Null outside of `activate` and `inSpan`. */
  active(): Span | null;
  /** Exports what is still buffered, for a short time at most. */
  close(): Promise<void>;
}

export interface TracingConfig {
  /** URL of an OTLP/HTTP receiver, without `/v1/traces`; null for no traces. */
  endpoint: string | null;
  /** Share of the traces that are recorded, from 0 to 1, unless the caller has decided. */
  sampleRatio: number;
}

export interface TracingOptions {
  /** `api` or `worker`. */
  service: string;
  logger: Pick<Logger, 'warn' | 'info'>;
}
