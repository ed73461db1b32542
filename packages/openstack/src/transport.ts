import { readFileSync } from 'node:fs';
import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import type { ServiceName } from '@gateway/config';
import type { Clock, sleep } from '@gateway/core';
import got, { type Got } from 'got';
import type { CallContext, UpstreamEvents } from './call-context.ts';
import { serviceNames } from './catalog.ts';
import { failureOfAnswer, failureOfFault, unusableAnswer } from './failure.ts';
import { type FaultKind, faultOf } from './fault.ts';
import { retryAfterSeconds, retryDelayMs, triesFor } from './retry.ts';
import type { UpstreamRequest } from './upstream-request.ts';

export interface UpstreamAnswer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  /** Undefined when no JSON was expected. */
  body: unknown;
}

export interface Transport {
  send(request: UpstreamRequest, call: CallContext): Promise<UpstreamAnswer>;
  /** Drops the connections kept open. */
  close(): void;
}

export interface TransportOptions {
  /** A PEM bundle that certificates are checked against; null for the system's. */
  caFile: string | null;
  requestTimeoutMs: number;
  userAgent: string;
  events?: UpstreamEvents;
  clock: Clock;
  sleep: typeof sleep;
}

interface Attempt {
  answer?: RawAnswer;
  fault?: { kind: FaultKind; code: string };
}

interface RawAnswer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  text: string;
}

/**
 * Idle connections are dropped well before a server or proxy would drop them (5 s is the shortest lifetime in common
 * use), for a write that meets a closing connection can not be repeated.
 */
const idleConnectionMs = 4000;
const connectTimeoutMs = 5000;

export function createTransport(options: TransportOptions): Transport {
  const agent = {
    http: new HttpAgent({ keepAlive: true, timeout: idleConnectionMs }),
    https: new HttpsAgent({ keepAlive: true, timeout: idleConnectionMs }),
  };
  const base = got.extend({
    agent,
    headers: { 'user-agent': options.userAgent, accept: 'application/json' },
    timeout: {
      connect: connectTimeoutMs,
      secureConnect: connectTimeoutMs,
      request: options.requestTimeoutMs,
    },
    https: options.caFile === null ? {} : { certificateAuthority: readFileSync(options.caFile, 'utf8') },
    // Tries, redirects and statuses are this file's own business: what may be repeated depends on the service.
    retry: { limit: 0 },
    followRedirect: false,
    throwHttpErrors: false,
    responseType: 'text',
  });
  const clients = new Map<ServiceName, Got>(serviceNames.map((service) => [service, base.extend({})]));
  return {
    send: (request, call) => sendWithRetries(clients.get(request.service) ?? base, request, call, options),
    close() {
      agent.http.destroy();
      agent.https.destroy();
    },
  };
}

async function sendWithRetries(
  client: Got,
  request: UpstreamRequest,
  call: CallContext,
  options: TransportOptions,
): Promise<UpstreamAnswer> {
  const body = request.body === undefined ? undefined : JSON.stringify(request.body);
  let longestRetryAfterSeconds: number | undefined;
  let mayHaveActed = false;
  for (let attempt = 1; ; attempt += 1) {
    const outcome = await sendOnce(client, request, body, call, options);
    const { answer, fault } = outcome;
    if (answer !== undefined && answer.status < 300) return usable(request, answer);
    if (answer?.status === 404 && request.method === 'DELETE' && mayHaveActed) {
      // An earlier try was cut off after the service may have acted on it: gone is what was wanted.
      return { status: 204, headers: answer.headers, body: undefined };
    }

    const retryAfter = answer === undefined ? undefined : retryAfterSeconds(answer.headers, options.clock);
    if (retryAfter !== undefined) {
      longestRetryAfterSeconds = Math.max(longestRetryAfterSeconds ?? 0, retryAfter);
    }
    const tries = triesFor(request, call, { status: answer?.status, fault: fault?.kind, retryAfter });
    const delayMs = retryDelayMs(attempt, retryAfter);
    if (attempt >= tries || delayMs === null) {
      if (answer !== undefined) {
        const text = withoutTokens(answer.text, request.headers);
        throw failureOfAnswer(request, call, { ...answer, text }, longestRetryAfterSeconds);
      }
      throw failureOfFault(request, fault ?? { kind: 'connection', code: 'UNKNOWN' });
    }
    mayHaveActed ||= fault?.kind === 'connection';
    await options.sleep(delayMs, call.signal);
  }
}

async function sendOnce(
  client: Got,
  request: UpstreamRequest,
  body: string | undefined,
  call: CallContext,
  options: TransportOptions,
): Promise<Attempt> {
  if (request.method !== 'GET' && request.method !== 'HEAD') await call.beforeWrite?.();
  call.signal?.throwIfAborted();
  const startedAt = performance.now();
  let status: number | null = null;
  try {
    const response = await client(request.url, {
      method: request.method,
      headers:
        body === undefined ? request.headers : { ...request.headers, 'content-type': 'application/json' },
      body,
      signal: call.signal,
    });
    status = response.statusCode;
    return { answer: { status, headers: response.headers, text: response.body as string } };
  } catch (thrown) {
    call.signal?.throwIfAborted();
    return { fault: faultOf(thrown) };
  } finally {
    options.events?.onResponse({
      service: request.service,
      operation: request.operation,
      status,
      durationSeconds: (performance.now() - startedAt) / 1000,
      requestId: call.requestId,
    });
  }
}

/** A proxy may repeat the request in what it answers. */
function withoutTokens(text: string, headers: Record<string, string>): string {
  const tokens = [headers['x-auth-token'], headers['x-subject-token']];
  return tokens.reduce<string>((left, token) => (token ? left.replaceAll(token, '…') : left), text);
}

function usable(request: UpstreamRequest, { status, headers, text }: RawAnswer): UpstreamAnswer {
  if (!request.expectJson) return { status, headers, body: undefined };
  try {
    const body: unknown = JSON.parse(text);
    if (typeof body === 'object' && body !== null) return { status, headers, body };
  } catch {
    // Told below, without the text: it may hold anything.
  }
  throw unusableAnswer(request, { status, headers });
}
