import { readTlsFiles, type ServiceName, type TlsFiles, type UpstreamConfig } from '@gateway/config';
import { type Clock, parseJson, type sleep } from '@gateway/core';
import type { Tracing } from '@gateway/telemetry';
import got from 'got';
import type { CallContext, UpstreamEvents } from './call-context.ts';
import { CallQueue } from './call-queue.ts';
import { serviceNames } from './catalog.ts';
import {
  classifyNetworkError,
  errorFromNetworkError,
  type NetworkError,
  tooBusyError,
} from './errors/from-network-error.ts';
import { errorFromResponse, invalidResponseError } from './errors/from-response.ts';
import { isUnexplainedNotFound } from './errors/unexplained-not-found.ts';
import { fetchText, type TextResponse } from './fetch-text.ts';
import { maxAttempts, retryAfterSeconds, retryDelayMs } from './retry.ts';
import { endCallSpan, startCallSpan } from './trace-call.ts';
import { UpstreamClients } from './upstream-clients.ts';
import type { UpstreamRequest } from './upstream-request.ts';

export interface UpstreamResponse {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  /** Undefined if the request expects no JSON. */
  body: unknown;
}

export interface Transport {
  send(request: UpstreamRequest, call: CallContext): Promise<UpstreamResponse>;
  /** The load of each service by this process. */
  load(): Record<ServiceName, CallLoad>;
  /** Closes idle connections. */
  close(): void;
}

export interface CallLoad {
  inFlight: number;
  /** Calls that wait in the queue. */
  waiting: number;
}

interface TransportOptions {
  tls: TlsFiles;
  requestTimeoutMs: number;
  limits: UpstreamConfig;
  /** The maximum time that a call may wait in the queue. */
  maxWaitMs: number;
  userAgent: string;
  /** Sends the address of the client to the services as `X-Forwarded-For`. */
  forwardsClientAddress: boolean;
  events?: UpstreamEvents;
  tracing: Tracing | null;
  clock: Clock;
  sleep: typeof sleep;
}

/** How to call one service. */
interface Route {
  clients: UpstreamClients;
  queue: CallQueue;
}

interface SentRequest {
  request: UpstreamRequest;
  /** As JSON. */
  body: string | undefined;
  call: CallContext;
  attempt: number;
}

interface Attempt {
  response?: TextResponse;
  networkError?: NetworkError;
}

const CONNECT_TIMEOUT_MS = 5000;

export function createTransport(options: TransportOptions): Transport {
  const { maxConcurrentCalls, services } = options.limits;
  const { ca, cert, key } = readTlsFiles(options.tls);
  const base = got.extend({
    headers: { 'user-agent': options.userAgent, accept: 'application/json' },
    timeout: { request: options.requestTimeoutMs },
    https: { certificateAuthority: ca, certificate: cert, key },
    // This file handles retries, redirects and statuses itself, because the service determines which
    // requests may be retried.
    retry: { limit: 0 },
    followRedirect: false,
    throwHttpErrors: false,
  });
  const clients = new UpstreamClients(base, { ...options.limits, connectTimeoutMs: CONNECT_TIMEOUT_MS });
  const routes = Object.fromEntries(
    serviceNames.map((service) => {
      const queue = new CallQueue(services[service] ?? maxConcurrentCalls, options.maxWaitMs);
      return [service, { clients, queue }];
    }),
  ) as Record<ServiceName, Route>;
  return {
    send: (request, call) => sendWithRetries(routes[request.service], request, call, options),
    load: () =>
      Object.fromEntries(
        Object.entries(routes).map(
          ([
            service,
            {
              queue: { inFlight, waiting },
            },
          ]) => [service, { inFlight, waiting }],
        ),
      ) as Record<ServiceName, CallLoad>,
    close: () => clients.close(),
  };
}

async function sendWithRetries(
  route: Route,
  request: UpstreamRequest,
  call: CallContext,
  options: TransportOptions,
): Promise<UpstreamResponse> {
  const body = request.body === undefined ? undefined : JSON.stringify(request.body);
  let maxRetryAfterSeconds: number | undefined;
  let mayHaveActed = false;
  for (let attempt = 1; ; attempt += 1) {
    const { response, networkError } = await route.queue.run({
      send: () => sendOnce(route, { request, body, call, attempt }, options),
      isWrite: isWrite(request),
      signal: call.signal,
      toExpiredError: () => tooBusyError(request),
    });
    if (response !== undefined && (response.status < 300 || request.isResult?.(response) === true)) {
      return parseResponse(request, response);
    }
    // A proxy responded because the service is unreachable or being replaced, so it counts as unavailable.
    const isUnavailable = response !== undefined && isUnexplainedNotFound(request.service, response);
    if (response?.status === 404 && !isUnavailable && request.method === 'DELETE' && mayHaveActed) {
      // The service performed an earlier attempt whose connection was lost: the resource is deleted.
      return { status: 204, headers: response.headers, body: undefined };
    }

    const retryAfter =
      response === undefined ? undefined : retryAfterSeconds(response.headers, options.clock);
    if (retryAfter !== undefined) maxRetryAfterSeconds = Math.max(maxRetryAfterSeconds ?? 0, retryAfter);
    const result = {
      status: isUnavailable ? 503 : response?.status,
      networkError: networkError?.kind,
      retryAfter,
    };
    const delayMs = retryDelayMs(attempt, retryAfter);
    if (attempt >= maxAttempts(request, call, result) || delayMs === null) {
      if (response !== undefined) {
        const text = withoutSecrets(response.text, request.headers);
        throw errorFromResponse(request, call, { ...response, text }, maxRetryAfterSeconds);
      }
      throw errorFromNetworkError(request, networkError ?? { kind: 'connection_lost', code: 'UNKNOWN' });
    }
    mayHaveActed ||= networkError?.kind === 'connection_lost';
    await options.sleep(delayMs, call.signal);
  }
}

async function sendOnce(
  { clients }: Route,
  { request, body, call, attempt }: SentRequest,
  options: TransportOptions,
): Promise<Attempt> {
  await call.beforeSend?.();
  if (isWrite(request)) await call.beforeWrite?.();
  call.signal?.throwIfAborted();
  const span = options.tracing === null ? null : startCallSpan(options.tracing, request, attempt);
  const startedAt = performance.now();
  let status: number | null = null;
  try {
    const { clientAddress, signal } = call;
    const headers = {
      ...request.headers,
      ...span?.context,
      ...(options.forwardsClientAddress && clientAddress && { 'x-forwarded-for': clientAddress }),
    };
    // Some services send a body after a 204. A reused connection would take it for the
    // start of the next response.
    const client = clients.for(request.url, { isReused: !request.isDelete });
    const response = await fetchText(client, request.url, {
      method: request.method,
      headers: body === undefined ? headers : { 'content-type': 'application/json', ...headers },
      ...(body !== undefined && { body }),
      ...(signal !== undefined && { signal }),
    });
    status = response.status;
    return { response };
  } catch (thrown) {
    call.signal?.throwIfAborted();
    return { networkError: classifyNetworkError(thrown) };
  } finally {
    if (span !== null) endCallSpan(span, status);
    options.events?.onResponse({
      service: request.service,
      operation: request.operation,
      status,
      durationSeconds: (performance.now() - startedAt) / 1000,
      requestId: call.requestId,
    });
  }
}

function isWrite({ method }: UpstreamRequest): boolean {
  return method !== 'GET' && method !== 'HEAD';
}

/** A proxy may quote the request in its response, and the identity service quotes invalid receipts. */
function withoutSecrets(text: string, headers: Record<string, string>): string {
  const secrets = [headers['x-auth-token'], headers['x-subject-token'], headers['openstack-auth-receipt']];
  return secrets.reduce<string>((masked, secret) => (secret ? masked.replaceAll(secret, '…') : masked), text);
}

async function parseResponse(
  request: UpstreamRequest,
  { status, headers, text }: TextResponse,
): Promise<UpstreamResponse> {
  if (!request.expectJson) return { status, headers, body: undefined };
  try {
    const body = await parseJson(text, request.shape);
    if (typeof body === 'object' && body !== null && !isEmpty(body)) return { status, headers, body };
  } catch (error) {
    // The error below omits the text, which may contain secrets.
    if (!(error instanceof SyntaxError)) throw error;
  }
  throw invalidResponseError(request, { status, headers });
}

/** Whether the body has no values, such as `{}` or `{"server": null}`. */
function isEmpty(body: object): boolean {
  return Object.values(body).every((value) => value === null);
}
