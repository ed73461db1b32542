import type { Clock } from '@gateway/core';
import type { CallContext, UpstreamRequest } from './call.ts';
import type { NetworkError } from './errors/from-network-error.ts';

const MAX_ATTEMPTS = 3;
const FIRST_DELAY_MS = 100;
/** With a longer `Retry-After` the call fails, and the API user gets the value. */
const MAX_RETRY_AFTER_SECONDS = 5;

interface AttemptResult {
  status?: number;
  networkError?: NetworkError['kind'];
  retryAfter?: number;
}

/**
 * The delay before another attempt in milliseconds, or null for none. Attempts are counted from 1; `result`
 * is that of the last one.
 */
export function retryDelayMs(
  request: UpstreamRequest,
  call: CallContext,
  attempt: number,
  result: AttemptResult,
): number | null {
  if (attempt >= MAX_ATTEMPTS || !isRetried(request, call, result)) return null;
  const { retryAfter = 0 } = result;
  if (retryAfter > MAX_RETRY_AFTER_SECONDS) return null;
  const backoffMs = FIRST_DELAY_MS * 4 ** (attempt - 1) * (0.75 + Math.random() / 2);
  return Math.max(backoffMs, retryAfter * 1000);
}

function isRetried(
  { method, idempotent }: UpstreamRequest,
  { retry }: CallContext,
  { networkError, retryAfter, status }: AttemptResult,
): boolean {
  if (retry === 'none') return false;
  if (networkError === 'connect') return true;
  if (method !== 'GET' && method !== 'HEAD' && !idempotent) return false;
  return (
    networkError === 'connection_lost' ||
    status === 429 ||
    status === 503 ||
    (status === 413 && retryAfter !== undefined)
  );
}

const WEEKDAY = /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*,? /;

/**
 * `Retry-After` in seconds. The header contains a number of seconds or a date; anything else counts as no
 * header.
 */
export function retryAfterSeconds(
  headers: Record<string, string | string[] | undefined>,
  clock: Clock,
): number | undefined {
  const value = String(headers['retry-after'] ?? '').trim();
  if (/^\d{1,9}(\.\d{1,9})?$/.test(value)) return Math.ceil(Number(value));
  // The oldest format of dates has no zone.
  const date = WEEKDAY.test(value) ? Date.parse(value.endsWith('GMT') ? value : `${value} GMT`) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, Math.ceil((date - clock.now()) / 1000));
}
