import { setTimeout as pause } from 'node:timers/promises';

/** Something that is done at random, again and again. */
export interface Interruptions {
  /** Waits until every action that began has ended, and returns their number. @throws the first failure */
  stop(): Promise<number>;
}

/** Starts `act` at each interval, even if the previous run has not ended. */
export function atIntervals(everyMs: number, act: () => Promise<void> | undefined): Interruptions {
  const stopping = new AbortController();
  const begun: Promise<void>[] = [];
  const loop = (async () => {
    for (;;) {
      await pause(everyMs, undefined, { signal: stopping.signal }).catch(() => {});
      if (stopping.signal.aborted) return;
      const done = act();
      if (done === undefined) continue;
      // A failure is reported by stop().
      done.catch(() => {});
      begun.push(done);
    }
  })();
  return {
    async stop() {
      stopping.abort();
      await loop;
      await Promise.all(begun);
      return begun.length;
    },
  };
}

/** Deterministic random numbers from 0 to 1 (mulberry32). */
export function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** A random one of these; undefined when there is none. */
export function oneOf<T>(all: Iterable<T>, random: () => number): T | undefined {
  const list = [...all];
  return list[Math.floor(random() * list.length)];
}
