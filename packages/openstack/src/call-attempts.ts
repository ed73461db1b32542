import type { Clock, sleep } from '@gateway/core';
import type { Span, Tracing } from '@gateway/platform';
import { HTTPError, type Options, type RequestError } from 'got';
import type { CallContext, UpstreamEvents, UpstreamRequest } from './call.ts';
import type { CallQueue } from './call-queue.ts';
import {
  classifyNetworkError,
  errorFromNetworkError,
  type NetworkError,
  tooBusyError,
} from './errors/from-network-error.ts';
import { isConnectError } from './errors/predicates.ts';
import { isUnexplainedNotFound } from './errors/unexplained-not-found.ts';
import type { UpstreamError } from './errors/upstream-error.ts';
import { responseOf, textOf } from './fetch-response.ts';
import { retryAfterSeconds, retryDelayMs } from './retry.ts';

interface AttemptOptions {
  requestTimeoutMs: number;
  events?: UpstreamEvents;
  tracing: Tracing | null;
  clock: Clock;
  sleep: typeof sleep;
}

/** An attempt in progress. It holds a slot of the queue. */
interface Attempt {
  span: Span | null;
  startedAt: number;
}

/** For got, whose pauses do not end when a call is aborted: the pause is over. See decision 92. */
const AT_ONCE_MS = 1;
const NEVER = 0;

/**
 * The attempts of one call. got asks it before each attempt, and after each that fails. An attempt is a span
 * and emits an event.
 */
export class CallAttempts {
  readonly #request: UpstreamRequest;
  readonly #call: CallContext;
  readonly #queue: CallQueue;
  readonly #options: AttemptOptions;
  #current: Attempt | null = null;
  #refusal: unknown;
  #networkError: NetworkError | undefined;
  /** How the connection of an earlier attempt was lost, which may have had its effect. */
  lost: NetworkError | undefined;
  /** The longest delay that the service has asked for. */
  maxRetryAfterSeconds: number | undefined;

  constructor(request: UpstreamRequest, call: CallContext, queue: CallQueue, options: AttemptOptions) {
    this.#request = request;
    this.#call = call;
    this.#queue = queue;
    this.#options = options;
  }

  /** The error of a call without a response. */
  get error(): unknown {
    const last = this.#networkError ?? { kind: 'connection_lost', code: 'UNKNOWN' };
    const error = this.#refusal ?? errorFromNetworkError(this.#request, last);
    return isConnectError(error) ? (this.uncertainError ?? error) : error;
  }

  /**
   * The error of a write of which an earlier attempt may have had its effect, although the last one was not
   * received; null for any other call.
   */
  get uncertainError(): UpstreamError | null {
    return this.lost === undefined || !this.#isWrite ? null : errorFromNetworkError(this.#request, this.lost);
  }

  get #isWrite(): boolean {
    return this.#request.method !== 'GET' && this.#request.method !== 'HEAD';
  }

  /** Waits until the attempt may be sent. If it throws, the call has failed. */
  async begin({ headers }: Pick<Options, 'headers'>, attempt: number): Promise<void> {
    try {
      await this.#enterQueue();
    } catch (error) {
      this.#refusal = error;
      throw error;
    }
    const { tracing } = this.#options;
    const span = tracing === null ? null : startCallSpan(tracing, this.#request, attempt);
    if (span !== null) Object.assign(headers, span.context);
    this.#current = { span, startedAt: performance.now() };
  }

  async #enterQueue(): Promise<void> {
    const call = this.#call;
    const isWrite = this.#isWrite;
    const toExpiredError = () => tooBusyError(this.#request);
    await this.#queue.enter({ isWrite, signal: call.signal, toExpiredError });
    try {
      await call.beforeSend?.();
      if (isWrite) await call.beforeWrite?.();
      call.signal?.throwIfAborted();
    } catch (error) {
      this.#queue.leave();
      throw error;
    }
  }

  /** Ends the attempt in progress, if there is one. `status` is null without a complete response. */
  end(status: number | null): void {
    if (this.#current === null) return;
    const { span, startedAt } = this.#current;
    this.#current = null;
    this.#queue.leave();
    if (span !== null) endCallSpan(span, status);
    this.#options.events?.onResponse({
      service: this.#request.service,
      operation: this.#request.operation,
      status,
      durationSeconds: (performance.now() - startedAt) / 1000,
      requestId: this.#call.requestId,
    });
  }

  /** Ends the attempt, and waits before the next. Returns got's delay in milliseconds; 0 ends the call. */
  async fail(thrown: RequestError, attempt: number): Promise<number> {
    if (this.#current === null) return NEVER;
    const response = responseOf(thrown);
    this.#networkError = response === undefined ? this.#classify(thrown, this.#current) : undefined;
    this.end(response?.status ?? null);
    const retryAfter =
      response === undefined ? undefined : retryAfterSeconds(response.headers, this.#options.clock);
    if (retryAfter !== undefined) {
      this.maxRetryAfterSeconds = Math.max(this.maxRetryAfterSeconds ?? 0, retryAfter);
    }
    // A proxy responded because the service is unreachable or being replaced, so it counts as unavailable.
    const isUnavailable =
      response !== undefined &&
      isUnexplainedNotFound(this.#request.service, { status: response.status, text: textOf(response) });
    const status = isUnavailable ? 503 : response?.status;
    const networkError = this.#networkError?.kind;
    const result = { status, networkError, retryAfter };
    const delayMs = retryDelayMs(this.#request, this.#call, attempt, result);
    if (delayMs === null) return NEVER;
    if (networkError === 'connection_lost') this.lost ??= this.#networkError;
    await this.#options.sleep(delayMs, this.#call.signal);
    return AT_ONCE_MS;
  }

  /** got reads the body of a response with an error status, and does not say why that failed. */
  #classify(thrown: RequestError, { startedAt }: Attempt): NetworkError {
    if (!(thrown instanceof HTTPError)) return classifyNetworkError(thrown);
    const isLate = performance.now() - startedAt >= this.#options.requestTimeoutMs;
    return isLate ? { kind: 'timeout', code: 'ETIMEDOUT' } : { kind: 'connection_lost', code: 'ECONNRESET' };
  }
}

/**
 * The span of one attempt of a call; null without an active trace. It contains neither path, headers nor
 * bodies, which may contain names and secrets.
 */
function startCallSpan(
  tracing: Tracing,
  { service, operation, method, url, headers }: UpstreamRequest,
  attempt: number,
): Span | null {
  if (tracing.active() === null) return null;
  const { hostname, port, protocol } = new URL(url);
  return tracing.start(`${service} ${operation}`, {
    kind: 'client',
    attributes: {
      'http.request.method': method,
      'http.request.resend_count': attempt === 1 ? undefined : attempt - 1,
      'server.address': hostname,
      'server.port': Number(port) || (protocol === 'https:' ? 443 : 80),
      'gateway.service': service,
      'gateway.operation': operation,
      'gateway.request_id': headers['x-openstack-request-id'],
    },
  });
}

/** `status` is null without a response. */
function endCallSpan(span: Span, status: number | null): void {
  if (status !== null) span.set({ 'http.response.status_code': status });
  if (status === null || status >= 400) span.fail(status === null ? 'no_response' : String(status));
  span.end();
}
