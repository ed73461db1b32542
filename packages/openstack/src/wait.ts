import { type Clock, sleep, systemClock, upstreamTimeout } from '@gateway/core';
import { FailedStateError, isNotFound, isTransient } from './errors/index.ts';

export interface WaitOptions {
  timeoutMs: number;
  intervalMs: number;
  /** Subject of error messages, as `The volume`. */
  describe: string;
  /** Aborts the wait, which then throws the signal's reason. */
  signal?: AbortSignal;
  clock?: Clock;
  sleep?: typeof sleep;
}

/**
 * Polls until `check` resolves with a value other than undefined, and returns that value. A transient error (no
 * connection, a 5xx response, too many requests) does not end the wait. After `timeoutMs`, throws the transient error of
 * the last poll, or a 504.
 */
export async function waitFor<T>(check: () => Promise<T | undefined>, options: WaitOptions): Promise<T> {
  const { signal, timeoutMs, intervalMs, describe, clock = systemClock, sleep: pause = sleep } = options;
  const deadline = clock.now() + timeoutMs;
  for (;;) {
    signal?.throwIfAborted();
    let transientError: unknown;
    try {
      const found = await check();
      if (found !== undefined) return found;
    } catch (thrown) {
      if (!isTransient(thrown)) throw thrown;
      transientError = thrown;
    }
    if (clock.now() + intervalMs > deadline) {
      throw transientError ?? upstreamTimeout(`${describe} was not ready in time.`);
    }
    await pause(intervalMs, signal);
  }
}

export interface StatusWaitOptions extends WaitOptions {
  targetStates: readonly string[];
  /** States from which the resource cannot reach a target state. They end the wait with a `FailedStateError`. */
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
  /** States that count as deleted, as `DELETED`. */
  goneStates?: readonly string[];
  /** States that the resource does not leave by itself, as `error_deleting`. */
  failedStates?: readonly string[];
}

/** Waits until the resource is deleted: the service answers 404, or reports a state of `goneStates`. */
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
