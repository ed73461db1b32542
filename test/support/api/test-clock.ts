import type { Clock } from '@gateway/core';

/** The wall clock, plus the time that a test has advanced. */
export class TestClock implements Clock {
  #aheadMs = 0;

  now(): number {
    return Date.now() + this.#aheadMs;
  }

  advance(seconds: number): void {
    this.#aheadMs += seconds * 1000;
  }
}
