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

  /** In milliseconds; 0 while nothing is known. Rather too short than too long. */
  of(change: string): number {
    return this.#expectedMs.get(change) ?? 0;
  }

  /** @param hasMissed whether an earlier look has shown that the change took longer than expected */
  learn(change: string, tookMs: number, hasMissed: boolean): void {
    const expectedMs = this.of(change);
    if (hasMissed) this.#expectedMs.set(change, expectedMs + RISE * Math.max(tookMs - expectedMs, 0));
    else this.#expectedMs.set(change, FALL * Math.min(expectedMs, tookMs));
  }
}
