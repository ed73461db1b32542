/** How far apart the looks at a resource are, in milliseconds: the first interval, and the longest. */
export interface PollIntervals {
  firstMs: number;
  maxMs: number;
}

/** An interval, as a fraction of the time waited so far. A change is noticed late by at most this fraction of its duration. */
const GROWTH = 0.5;
/** The largest deviation, as a fraction: jobs that began together do not look together. */
const JITTER = 0.2;

/** The time until the next look, for a wait that has lasted `waitedMs`. */
export function pollInterval(
  { firstMs, maxMs }: PollIntervals,
  waitedMs: number,
  random: () => number = Math.random,
): number {
  const intervalMs = Math.min(Math.max(waitedMs * GROWTH, firstMs), maxMs);
  return intervalMs * (1 - JITTER + 2 * JITTER * random());
}
