import type { Clock } from '@gateway/core';
import type { CallContext } from './call-context.ts';
import type { FaultKind } from './fault.ts';
import type { UpstreamRequest } from './upstream-request.ts';

const maxTries = 3;
const firstDelayMs = 100;
/** A longer `Retry-After` is the caller's to wait for, not ours. */
const maxRetryAfterSeconds = 5;

export interface Outcome {
  status?: number;
  fault?: FaultKind;
  retryAfter?: number;
}

/** How often this request may be tried in all, seeing how a try went. */
export function triesFor(request: UpstreamRequest, call: CallContext, outcome: Outcome): number {
  if (call.retry === 'none') return 1;
  const { status, fault, retryAfter } = outcome;
  if (fault === 'unreached') return maxTries;
  const repeatable = request.method === 'GET' || request.method === 'HEAD' || request.idempotent;
  if (!repeatable) return 1;
  const passing =
    fault === 'connection' ||
    status === 429 ||
    status === 503 ||
    (status === 413 && retryAfter !== undefined);
  return passing ? maxTries : 1;
}

/** The pause after the given try; null when the service wants a longer one than a caller can be kept for. */
export function retryDelayMs(attempt: number, retryAfter: number | undefined): number | null {
  if (retryAfter !== undefined && retryAfter > maxRetryAfterSeconds) return null;
  const backoffMs = firstDelayMs * 4 ** (attempt - 1) * (0.75 + Math.random() / 2);
  return Math.max(backoffMs, (retryAfter ?? 0) * 1000);
}

/** `Retry-After` in seconds, whether it came as a number or as a date. */
export function retryAfterSeconds(
  headers: Record<string, string | string[] | undefined>,
  clock: Clock,
): number | undefined {
  const value = headers['retry-after'];
  if (typeof value !== 'string' || value.trim() === '') return undefined;
  const seconds = Number(value);
  if (Number.isFinite(seconds)) return Math.max(0, Math.ceil(seconds));
  const date = Date.parse(value);
  return Number.isNaN(date) ? undefined : Math.max(0, Math.ceil((date - clock.now()) / 1000));
}
