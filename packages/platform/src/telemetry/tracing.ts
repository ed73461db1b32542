import type { Logger } from './logger.ts';
import type { Origin } from './origin.ts';

/** The headers of the W3C Trace Context that make a call or a job part of a trace. */
export interface TraceContext {
  traceparent: string;
  tracestate?: string;
}

/** Few and short values. They never contain tokens, bodies, names or addresses of resources. */
export type SpanAttributes = Record<string, string | number | boolean | undefined>;

export interface SpanOptions {
  kind: 'server' | 'client' | 'producer' | 'consumer' | 'internal';
  attributes?: SpanAttributes;
  /** Defaults to the active span. An invalid context counts as none: the span then begins a trace. */
  parent?: Partial<TraceContext>;
}

export interface ActionOptions extends SpanOptions {
  /** Errors that only pass the work to a later run. The span then counts as successful. */
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

/** Records spans and exports them. The active span follows the asynchronous calls of its action. */
export interface Tracing {
  start(name: string, options: SpanOptions): Span;
  /** Runs the action with the span as the active span. Does not end the span. */
  activate<Result>(span: Span, action: () => Result): Result;
  /** Runs the action in a new span, which ends with the action. */
  inSpan<Result>(
    name: string,
    options: ActionOptions,
    action: (span: Span) => Promise<Result>,
  ): Promise<Result>;
  /** Null outside of `activate` and `inSpan`. */
  active(): Span | null;
  /** Exports the buffered spans, within a short time limit. */
  close(): Promise<void>;
}

export interface TracingOptions {
  /** `api` or `worker`. */
  service: string;
  /** Attributes of the resource of all spans. Defaults to none. */
  origin?: Origin;
  /** Headers of exports, as `name=value,name=value`. */
  headers?: string | null;
  logger: Pick<Logger, 'warn' | 'info'>;
}
