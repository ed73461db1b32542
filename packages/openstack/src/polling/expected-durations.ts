/** Of the first duration: the look before the last one was not earlier than this, as intervals grow by half of the time waited. */
const FIRST = 2 / 3;
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
    const expectedMs = this.of(change);
    let learnedMs = FALL * Math.min(expectedMs ?? tookMs, tookMs);
    if (hasMissed) {
      learnedMs =
        expectedMs === undefined ? FIRST * tookMs : expectedMs + RISE * Math.max(tookMs - expectedMs, 0);
    }
    this.#expectedMs.set(change, learnedMs);
  }
}
