/**
 * The clock as services see it. Services delay work with the schedule instead, which
 * continues after a restart.
 */
export interface TimeSource {
  /** Milliseconds since the epoch. */
  now(): number;
}

/** The time of the simulated cloud, and its scheduled tasks. */
export interface Clock extends TimeSource {
  /** Runs the task after the delay. Tasks run in the order of their due times. */
  after(delayMs: number, task: () => void): void;
  /** Cancels all scheduled tasks. */
  cancelAll(): void;
}

/**
 * The wall clock. Reads `scale` for each delay. When the scaled delay is zero, the task runs before the
 * next request is handled.
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

/** The same clock, which calls `onRun` after each scheduled task. */
export function observedClock(clock: Clock, onRun: () => void): Clock {
  return {
    now: () => clock.now(),
    cancelAll: () => clock.cancelAll(),
    after: (delayMs, task) =>
      clock.after(delayMs, () => {
        task();
        onRun();
      }),
  };
}

export interface ManualClock extends Clock {
  /** Advances the time and runs the tasks that are due, including tasks that they schedule. */
  advance(ms: number): void;
}

/** A clock for tests of state transitions: it only advances on request. */
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
