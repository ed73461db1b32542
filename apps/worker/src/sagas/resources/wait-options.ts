import { sleep } from '@gateway/core';
import { kinds, type PolledKind, type RemovalOptions } from '@gateway/inventory';
import { type PollIntervals, pollInterval, type WaitOptions } from '@gateway/openstack';
import type { Config } from '@gateway/platform';
import { ParkedError } from '../../saga/index.ts';

/** The part of a step's context that bounds its waits. */
interface WaitingStep {
  readonly config: Pick<Config, 'jobs'>;
  readonly signal: AbortSignal;
  readonly since: number;
  readonly maxWaitMs?: number;
  /** Pauses between two checks; `parking` parks the job instead. */
  readonly sleep?: WaitOptions['sleep'];
}

/**
 * The step with waits that park its job. A parked job takes no slot, however many jobs wait for slow
 * services. For steps that may be repeated from their beginning.
 */
export function parking<Step extends WaitingStep>(step: Step): Step {
  return { ...step, sleep: () => park(step) };
}

/** Most resources are ready by then. */
const PATIENCE_MS = 5_000;

/** The same for waits that are usually short, and may be long: begins to park after a few seconds. */
export function parkingLater<Step extends WaitingStep>(step: Step): Step {
  const pause: NonNullable<WaitOptions['sleep']> = (ms, signal) =>
    Date.now() - step.since < PATIENCE_MS ? sleep(ms, signal) : park(step);
  return { ...step, sleep: pause };
}

async function park({ config, since }: WaitingStep): Promise<never> {
  throw new ParkedError(pollInterval(parkedIntervals(config), Date.now() - since));
}

/**
 * Parks the job once, as its step begins. Slow calls of the step then do not keep its slot from the jobs that
 * have not begun. For steps that may be repeated from their beginning.
 */
export function parkOnce({ config, since }: WaitingStep): void {
  parkUntil(since + config.jobs.pollIntervalMs);
}

/** Parks the job until a time, in milliseconds since the epoch, unless it is over. */
export function parkUntil(time: number): void {
  const leftMs = time - Date.now();
  if (leftMs > 0) throw new ParkedError(leftMs);
}

/**
 * The timeout of a removal, counted from when the step or its undo began.
 *
 * @param creationSeconds how long the creation of the resource may take
 */
export function removalOptions(
  step: WaitingStep,
  kind: PolledKind,
  seconds: number,
  creationSeconds: number = seconds,
): RemovalOptions {
  return { ...limits(step, kind, seconds), stuckAfterMs: creationSeconds * 1000 };
}

/** The creation of a resource, or another change, that began with the step's call. */
export function waitOptions(
  step: WaitingStep,
  kind: PolledKind,
  { describe, seconds }: { describe: string; seconds: number },
): WaitOptions {
  return { ...limits(step, kind, seconds), since: step.since, describe };
}

/**
 * A run that resumes after the deadline still waits this long, because the service may be unavailable at its
 * first read.
 */
const MIN_WAIT_MS = 10_000;

function limits(
  { config, maxWaitMs = Number.POSITIVE_INFINITY, signal, since, sleep }: WaitingStep,
  kind: PolledKind,
  seconds: number,
): Omit<WaitOptions, 'describe'> {
  const timeoutMs = Math.min(seconds * 1000, maxWaitMs);
  const leftMs = since + timeoutMs - Date.now();
  // A parked job checks once in each of its runs.
  const minMs = sleep === undefined ? Math.min(timeoutMs, MIN_WAIT_MS) : 0;
  return { timeoutMs: Math.max(leftMs, minMs), intervals: pollIntervals(config, kind), signal, sleep };
}

/** Between two checks of a wait for a resource of the kind. */
function pollIntervals(config: Pick<Config, 'jobs'>, kind: PolledKind): PollIntervals {
  return inPollingIntervals(config, kinds[kind].poll);
}

/** Between two runs of a parked job. Each check is a run. */
export function parkedIntervals(config: Pick<Config, 'jobs'>): PollIntervals {
  return inPollingIntervals(config, [2, 10]);
}

function inPollingIntervals(
  { jobs }: Pick<Config, 'jobs'>,
  [first, max]: readonly [number, number],
): PollIntervals {
  return { firstMs: first * jobs.pollIntervalMs, maxMs: max * jobs.pollIntervalMs };
}
