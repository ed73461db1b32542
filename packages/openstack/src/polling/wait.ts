import { type Clock, sleep, systemClock, upstreamTimeout } from '@gateway/core';
import { FailedStateError, isNotFound, isTransient } from '../errors/index.ts';
import type { ExpectedDurations } from './expected-durations.ts';
import { type PollIntervals, pollInterval } from './intervals.ts';

export interface WaitOptions {
  timeoutMs: number;
  intervals: PollIntervals;
  /** When the awaited change began, in milliseconds since the epoch; by default the start of the wait. */
  since?: number;
  /** The durations of earlier waits with the same `describe`. */
  durations?: ExpectedDurations;
  /** Subject of error messages, such as `The volume`. */
  describe: string;
  /** Aborts the wait, which then throws the signal's reason. */
  signal?: AbortSignal;
  clock?: Clock;
  sleep?: typeof sleep;
  /** At least 0 and below 1; tests pass their own. */
  random?: () => number;
}

/**
 * Polls until `check` resolves with a value other than undefined, and returns that value. A transient error
 * (no connection, a 5xx response, too many requests) does not end the wait. After `timeoutMs`, throws the
 * transient error of the last poll, or a 504.
 */
export async function waitFor<T>(check: () => Promise<T | undefined>, options: WaitOptions): Promise<T> {
  const { durations, signal, timeoutMs, intervals, describe, clock = systemClock } = options;
  const start = clock.now();
  const deadline = start + timeoutMs;
  // The clock of the process that began the change may be ahead.
  const since = Math.min(options.since ?? start, start);
  // A change that has just begun is not polled at once, unless it is known to be immediate.
  const expectedMs = durations === undefined ? 0 : (durations.of(describe) ?? intervals.firstMs);
  // An expected duration below the first interval causes no delay before the first poll.
  const expectedAt = since + (expectedMs < intervals.firstMs ? 0 : expectedMs);
  const nextPoll = async () => {
    const now = clock.now();
    const intervalMs =
      now < expectedAt
        ? Math.min(expectedAt - now, intervals.maxMs)
        : pollInterval(intervals, now - Math.max(expectedAt, start), options.random);
    await (options.sleep ?? sleep)(Math.min(intervalMs, deadline - now), signal);
  };
  if (start < expectedAt) await nextPoll();
  for (let hasMissed = false; ; ) {
    signal?.throwIfAborted();
    const polledAt = clock.now();
    let transientError: unknown;
    try {
      const found = await check();
      if (found !== undefined) {
        // Otherwise the wait began too late to measure the duration.
        if (hasMissed || start <= expectedAt) durations?.learn(describe, polledAt - since, hasMissed);
        return found;
      }
      hasMissed ||= polledAt >= expectedAt;
    } catch (thrown) {
      if (!isTransient(thrown)) throw thrown;
      transientError = thrown;
    }
    if (clock.now() >= deadline)
      throw transientError ?? upstreamTimeout(`${describe} was not ready in time.`);
    await nextPoll();
  }
}

export interface StatusWaitOptions extends WaitOptions {
  targetStates: readonly string[];
  /**
   * States from which the resource cannot reach a target state. They end the wait with a `FailedStateError`.
   */
  failedStates: readonly string[];
}

/** Waits for one of the target states; ignores case. A 404 is thrown unchanged. */
export function waitForStatus<T>(
  get: () => Promise<T>,
  statusOf: (record: T) => string,
  options: StatusWaitOptions,
): Promise<T> {
  return waitFor(async () => {
    const record = await get();
    const status = statusOf(record);
    if (includes(options.targetStates, status)) return record;
    throwIfFailed(status, options);
    return undefined;
  }, options);
}

export interface GoneWaitOptions extends WaitOptions {
  /** States that count as deleted, such as `DELETED`. */
  goneStates?: readonly string[];
  /** States in which the resource stays, such as `error_deleting`. */
  failedStates?: readonly string[];
}

/** Waits until the resource is deleted: the service responds with 404, or reports a state of `goneStates`. */
export async function waitForGone<T>(
  get: () => Promise<T>,
  statusOf: (record: T) => string,
  options: GoneWaitOptions,
): Promise<void> {
  await waitFor(async () => {
    try {
      const status = statusOf(await get());
      if (includes(options.goneStates ?? [], status)) return true;
      throwIfFailed(status, { describe: options.describe, failedStates: options.failedStates ?? [] });
      return undefined;
    } catch (thrown) {
      if (isNotFound(thrown)) return true;
      throw thrown;
    }
  }, options);
}

function throwIfFailed(
  status: string,
  { describe, failedStates }: { describe: string; failedStates: readonly string[] },
) {
  if (includes(failedStates, status))
    throw new FailedStateError(`${describe} reached the state ${status}.`, status);
}

function includes(states: readonly string[], status: string): boolean {
  return states.some((state) => state.toLowerCase() === status.toLowerCase());
}
