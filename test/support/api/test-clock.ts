import type { Clock } from '@gateway/core';

/** The time as it is, and as much further as a test has put it. */
export class TestClock implements Clock {
  #aheadMs = 0;

  now(): number {
    return Date.now() + this.#aheadMs;
  }

  advance(seconds: number): void {
    this.#aheadMs += seconds * 1000;
  }
}
