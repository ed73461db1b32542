/**
 * The expectation before the first wait, as a part of its duration. Intervals are about half of the time waited, so the change may have
 * happened long before the last look.
 */
const FIRST = 0.5;
/** How far the expectation moves towards a longer duration. */
const RISE = 0.3;
/** What is found by the first look may have been there before: the next look comes sooner. */
const FALL = 0.9;

/**
 * How long changes usually take, learned from the waits of this process. A wait need not look often before its change can have
 * happened.
 */
export class ExpectedDurations {
  readonly #expectedMs = new Map<string, number>();

  /** In milliseconds; undefined while nothing is known. Rather too short than too long. */
  of(change: string): number | undefined {
    return this.#expectedMs.get(change);
  }

  /** @param hasMissed whether an earlier look has shown that the change took longer than expected */
  learn(change: string, tookMs: number, hasMissed: boolean): void {
    const expectedMs = this.#expectedMs.get(change) ?? FIRST * tookMs;
    const learnedMs = hasMissed
      ? expectedMs + RISE * Math.max(tookMs - expectedMs, 0)
      : FALL * Math.min(expectedMs, tookMs);
    this.#expectedMs.set(change, learnedMs);
  }
}
