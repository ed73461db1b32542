import type { DeliveryError } from './delivery.ts';
import type { SendResult } from './send.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** After so many failed attempts in a row; the last one for all further ones. */
const DELAYS_MS = [5 * SECOND, 30 * SECOND, 2 * MINUTE, 10 * MINUTE, 30 * MINUTE, HOUR, 2 * HOUR];

/** How long an event is tried. */
export const MAX_AGE_MS = 24 * HOUR;

/** A receiver that asks for more would get no event before the event expires. */
const MAX_RETRY_AFTER_MS = 6 * HOUR;

const GONE = 410;
const TOO_MANY_REQUESTS = 429;

/**
 * What follows from an attempt. `again`: this event is tried later. With `pauseMs`, the receiver has trouble,
 * so that all events of the webhook wait.
 */
export type AttemptOutcome =
  | { kind: 'delivered' }
  | { kind: 'gone'; error: DeliveryError }
  | { kind: 'again'; error: DeliveryError; delayMs: number; pauseMs: number | null };

export function outcomeOf(
  result: SendResult,
  { attempts, failures, now }: { attempts: number; failures: number; now: number },
): AttemptOutcome {
  const retry = (error: DeliveryError, isReceiverDown: boolean, retryAfterMs = 0): AttemptOutcome => ({
    kind: 'again',
    error,
    delayMs: Math.max(delayAfter(attempts + 1), retryAfterMs),
    pauseMs: isReceiverDown || retryAfterMs > 0 ? Math.max(delayAfter(failures + 1), retryAfterMs) : null,
  });
  if ('error' in result) return retry(result.error, true);
  const { status } = result;
  if (status >= 200 && status < 300) return { kind: 'delivered' };
  if (status === GONE) return { kind: 'gone', error: 'refused_by_response' };
  const retryAfterMs = Math.min(parseRetryAfter(result.retryAfter, now), MAX_RETRY_AFTER_MS);
  return retry('refused_by_response', status >= 500 || status === TOO_MANY_REQUESTS, retryAfterMs);
}

function delayAfter(failedAttempts: number): number {
  return DELAYS_MS[Math.min(failedAttempts, DELAYS_MS.length) - 1] ?? 0;
}

/** Seconds, or a date. 0 for neither. */
function parseRetryAfter(text: string | null, now: number): number {
  if (text === null) return 0;
  const ms = /^\d{1,9}$/.test(text) ? Number(text) * SECOND : Date.parse(text) - now;
  return Number.isNaN(ms) ? 0 : Math.max(0, ms);
}
