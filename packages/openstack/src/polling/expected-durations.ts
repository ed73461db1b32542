/**
 * The part of the first wait's duration that becomes the expectation. Intervals are about half of the time
 * waited, so the change may have happened long before the last poll.
 */
const FIRST = 0.5;
/** How fast the expectation grows towards a longer duration. */
const RISE = 0.3;
/** A change that the first poll finds may have happened earlier, so the next wait polls sooner. */
const FALL = 0.9;

/**
 * How long changes usually take, learned from the waits of this process. A wait polls rarely
 * before its change is likely.
 */
export class ExpectedDurations {
  readonly #expectedMs = new Map<string, number>();

  /** In milliseconds; undefined without an earlier wait. Rather too short than too long. */
  of(change: string): number | undefined {
    return this.#expectedMs.get(change);
  }

  /**
   * @param hasMissed whether an earlier poll showed that the change takes longer than expected
   */
  learn(change: string, tookMs: number, hasMissed: boolean): void {
    const expectedMs = this.#expectedMs.get(change) ?? FIRST * tookMs;
    const learnedMs = hasMissed
      ? expectedMs + RISE * Math.max(tookMs - expectedMs, 0)
      : FALL * Math.min(expectedMs, tookMs);
    this.#expectedMs.set(change, learnedMs);
  }
}
