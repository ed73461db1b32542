import type { Clock } from '@gateway/core';

/** The wall clock, plus the time that a test has advanced. */
export class TestClock implements Clock {
  #aheadMs = 0;
  #stoppedAt: number | null = null;

  now(): number {
    return (this.#stoppedAt ?? Date.now()) + this.#aheadMs;
  }

  advance(seconds: number): void {
    this.#aheadMs += seconds * 1000;
  }

  /** From now on only the test advances it, however slow the machine is. */
  stop(): void {
    this.#stoppedAt = Date.now();
  }
}
