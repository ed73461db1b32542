/** The intervals between the polls of a resource, in milliseconds: the first and the longest. */
export interface PollIntervals {
  firstMs: number;
  maxMs: number;
}

/**
 * An interval, as a fraction of the time waited so far. A change is noticed at most this
 * fraction of its duration late.
 */
const GROWTH = 0.5;
/** The largest deviation, as a fraction, so that jobs that start together do not poll together. */
const JITTER = 0.2;

/** The time until the next poll, for a wait that has lasted `waitedMs`. */
export function pollInterval(
  { firstMs, maxMs }: PollIntervals,
  waitedMs: number,
  random: () => number = Math.random,
): number {
  const intervalMs = Math.min(Math.max(waitedMs * GROWTH, firstMs), maxMs);
  return intervalMs * (1 - JITTER + 2 * JITTER * random());
}
