/** Time as the simulated cloud knows it: what it is, and what will happen later. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Runs the task after the delay, in the order of due times. */
  after(delayMs: number, task: () => void): void;
  /** Forgets everything that was still to happen. */
  cancelAll(): void;
}

/**
 * The wall clock. `scale` is asked anew for each delay; where it makes a delay zero, the task runs before the
 * next request can be answered.
 */
export function systemClock(scale: () => number): Clock {
  const pending = new Set<NodeJS.Timeout>();
  let era = 0;
  return {
    now: () => Date.now(),
    after(delayMs, task) {
      const scaledMs = delayMs * scale();
      const began = era;
      if (scaledMs <= 0) {
        queueMicrotask(() => {
          if (began === era) task();
        });
        return;
      }
      const timer = setTimeout(() => {
        pending.delete(timer);
        task();
      }, scaledMs);
      pending.add(timer);
    },
    cancelAll() {
      era += 1;
      for (const timer of pending) clearTimeout(timer);
      pending.clear();
    },
  };
}

export interface ManualClock extends Clock {
  /** Moves time on and runs what has become due, also what that sets in motion. */
  advance(ms: number): void;
}

/** A clock that stands still until it is told to go on: for tests of transitions. */
export function manualClock(startMs = Date.UTC(2026, 0, 1)): ManualClock {
  let nowMs = startMs;
  let due: { atMs: number; task: () => void }[] = [];
  return {
    now: () => nowMs,
    after(delayMs, task) {
      due.push({ atMs: nowMs + delayMs, task });
    },
    cancelAll() {
      due = [];
    },
    advance(ms) {
      const untilMs = nowMs + ms;
      for (;;) {
        due.sort((a, b) => a.atMs - b.atMs);
        const next = due[0];
        if (next === undefined || next.atMs > untilMs) break;
        due.shift();
        nowMs = next.atMs;
        next.task();
      }
      nowMs = untilMs;
    },
  };
}
