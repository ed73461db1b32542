import { type Clock, sleep, systemClock, upstreamTimeout } from '@gateway/core';
import { FailedStateError, isNotFound, isPassing } from './errors.ts';

export interface WaitOptions {
  timeoutMs: number;
  intervalMs: number;
  /** Begins the sentence of a failure, as `The volume`. */
  describe: string;
  /** Ends the wait with the signal's reason. */
  signal?: AbortSignal;
  clock?: Clock;
  sleep?: typeof sleep;
}

/**
 * Asks until `check` gives something other than undefined, and answers that. A fault that may pass (no connection,
 * an answer of 5xx, too many requests) does not end the wait. After `timeoutMs`: the last such fault, or a 504.
 */
export async function waitFor<T>(check: () => Promise<T | undefined>, options: WaitOptions): Promise<T> {
  const { signal, timeoutMs, intervalMs, describe, clock = systemClock, sleep: pause = sleep } = options;
  const deadline = clock.now() + timeoutMs;
  for (;;) {
    signal?.throwIfAborted();
    let fault: unknown;
    try {
      const found = await check();
      if (found !== undefined) return found;
    } catch (thrown) {
      if (!isPassing(thrown)) throw thrown;
      fault = thrown;
    }
    if (clock.now() + intervalMs > deadline) {
      throw fault ?? upstreamTimeout(`${describe} was not ready in time.`);
    }
    await pause(intervalMs, signal);
  }
}

export interface StatusWaitOptions extends WaitOptions {
  target: readonly string[];
  /** States from which the target can not come: they end the wait with a `FailedStateError`. */
  failure: readonly string[];
}

/** Waits for one of the target states; upper and lower case are alike. A 404 is thrown as it is. */
export function waitForStatus<T>(
  get: () => Promise<T>,
  statusOf: (record: T) => string,
  options: StatusWaitOptions,
): Promise<T> {
  return waitFor(async () => {
    const record = await get();
    const status = statusOf(record);
    if (includes(options.target, status)) return record;
    throwIfFailed(status, options);
    return undefined;
  }, options);
}

export interface GoneWaitOptions extends WaitOptions {
  /** States that count as gone, as `DELETED`. */
  gone?: readonly string[];
  /** States that the thing does not leave by itself, as `error_deleting`. */
  failure?: readonly string[];
}

/** Waits until the service no longer knows it. */
export async function waitForGone<T>(
  get: () => Promise<T>,
  statusOf: (record: T) => string,
  options: GoneWaitOptions,
): Promise<void> {
  await waitFor(async () => {
    try {
      const status = statusOf(await get());
      if (includes(options.gone ?? [], status)) return true;
      throwIfFailed(status, { describe: options.describe, failure: options.failure ?? [] });
      return undefined;
    } catch (thrown) {
      if (isNotFound(thrown)) return true;
      throw thrown;
    }
  }, options);
}

function throwIfFailed(
  status: string,
  { describe, failure }: { describe: string; failure: readonly string[] },
) {
  if (includes(failure, status))
    throw new FailedStateError(`${describe} went to the state ${status}.`, status);
}

function includes(states: readonly string[], status: string): boolean {
  return states.some((state) => state.toLowerCase() === status.toLowerCase());
}
