import { type Clock, parseJson, type sleep } from '@gateway/core';
import {
  readTlsFiles,
  type ServiceName,
  type TlsFiles,
  type Tracing,
  type UpstreamConfig,
} from '@gateway/platform';
import got, { type Options } from 'got';
import type { CallContext, UpstreamEvents, UpstreamRequest } from './call.ts';
import { CallAttempts } from './call-attempts.ts';
import { CallQueue } from './call-queue.ts';
import { serviceNames } from './catalog.ts';
import { errorFromResponse, invalidResponseError } from './errors/from-response.ts';
import { isUnexplainedNotFound } from './errors/unexplained-not-found.ts';
import { fetchResponse, type RawResponse, textOf } from './fetch-response.ts';
import { UpstreamClients } from './upstream-clients.ts';

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

const CONNECT_TIMEOUT_MS = 5000;

export function createTransport(options: TransportOptions): Transport {
  const { maxConcurrentCalls, services } = options.limits;
  const { ca, cert, key } = readTlsFiles(options.tls);
  const base = got.extend({
    headers: { 'user-agent': options.userAgent, accept: 'application/json' },
    timeout: { request: options.requestTimeoutMs },
    https: { certificateAuthority: ca, certificate: cert, key },
    followRedirect: false,
    // See decision 92 for what is left to got, and what is not.
    retry: {
      enforceRetryRules: false,
      calculateDelay: ({ attemptCount, error }) => attemptsOf(error.options).fail(error, attemptCount),
    },
    hooks: {
      beforeRequest: [async (request, { retryCount }) => attemptsOf(request).begin(request, retryCount + 1)],
    },
  });
  const clients = new UpstreamClients(base, { ...options.limits, connectTimeoutMs: CONNECT_TIMEOUT_MS });
  const routes = Object.fromEntries(
    serviceNames.map((service) => {
      const queue = new CallQueue(services[service] ?? maxConcurrentCalls, options.maxWaitMs);
      return [service, { clients, queue }];
    }),
  ) as Record<ServiceName, Route>;
  return {
    send: (request, call) => sendCall(routes[request.service], request, call, options),
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

async function sendCall(
  { clients, queue }: Route,
  request: UpstreamRequest,
  call: CallContext,
  options: TransportOptions,
): Promise<UpstreamResponse> {
  const attempts = new CallAttempts(request, call, queue, options);
  const response = await sendAttempts(clients, attempts, request, call, options);
  if (response.status < 300 || request.isResult?.(response) === true) return parseResponse(request, response);
  const { lost, maxRetryAfterSeconds, uncertainError } = attempts;
  const text = withoutSecrets(textOf(response), request.headers);
  const isOutOfReach = isUnexplainedNotFound(request.service, { status: response.status, text });
  if (isOutOfReach && uncertainError !== null) throw uncertainError;
  const isGone = response.status === 404 && !isOutOfReach;
  if (isGone && request.method === 'DELETE' && lost !== undefined) {
    // The service performed an earlier attempt whose connection was lost: the resource is deleted.
    return { status: 204, headers: response.headers, body: undefined };
  }
  throw errorFromResponse(request, call, { ...response, text }, maxRetryAfterSeconds);
}

async function sendAttempts(
  clients: UpstreamClients,
  attempts: CallAttempts,
  { url, method, headers: own, body, isDelete }: UpstreamRequest,
  { clientAddress, signal }: CallContext,
  { forwardsClientAddress }: TransportOptions,
): Promise<RawResponse> {
  // Some services send a body after a 204. A reused connection would take it for the
  // start of the next response.
  const client = clients.for(url, { isReused: !isDelete });
  const headers = {
    ...(body !== undefined && { 'content-type': 'application/json' }),
    ...own,
    ...(forwardsClientAddress && clientAddress && { 'x-forwarded-for': clientAddress }),
  };
  try {
    const response = await fetchResponse(client, url, {
      method,
      headers,
      ...(body !== undefined && { body: JSON.stringify(body) }),
      ...(signal !== undefined && { signal }),
      context: { attempts },
    });
    attempts.end(response.status);
    return response;
  } catch {
    attempts.end(null);
    signal?.throwIfAborted();
    throw attempts.error;
  }
}

/** The attempts of the call that got asks about. */
function attemptsOf({ context }: Pick<Options, 'context'>): CallAttempts {
  return context.attempts as CallAttempts;
}

/** A proxy may quote the request in its response, and the identity service quotes invalid receipts. */
function withoutSecrets(text: string, headers: Record<string, string>): string {
  const secrets = [headers['x-auth-token'], headers['x-subject-token'], headers['openstack-auth-receipt']];
  return secrets.reduce<string>((masked, secret) => (secret ? masked.replaceAll(secret, '…') : masked), text);
}

async function parseResponse(
  request: UpstreamRequest,
  { status, headers, body: parts }: RawResponse,
): Promise<UpstreamResponse> {
  if (!request.expectJson) return { status, headers, body: undefined };
  try {
    const body = await parseJson(parts, request.shape);
    const isExpected = request.isText === true ? typeof body === 'string' : isObjectWithValues(body);
    if (isExpected) return { status, headers, body };
  } catch (error) {
    // The error below omits the text, which may contain secrets.
    if (!(error instanceof SyntaxError)) throw error;
  }
  throw invalidResponseError(request, { status, headers });
}

/** False for a body without values, such as `{}` or `{"server": null}`. */
function isObjectWithValues(body: unknown): boolean {
  return typeof body === 'object' && body !== null && Object.values(body).some((value) => value !== null);
}
