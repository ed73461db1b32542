import type { Redis } from '@gateway/redis';
import { KeyedMutex } from './keyed-mutex.ts';
import { Turns, type TurnsOptions } from './turns.ts';

/**
 * Runs tasks with the same key one after the other: those of this process in the order of their calls, and those of several
 * processes in turns.
 */
export class Locks {
  readonly #ofProcess = new KeyedMutex();
  readonly #turns: Turns;

  constructor(redis: Redis, options: TurnsOptions) {
    this.#turns = new Turns(redis, options);
  }

  /** @throws the signal's reason if the earlier tasks do not end in time */
  run<T>(key: string, signal: AbortSignal, task: () => Promise<T>): Promise<T> {
    return this.#ofProcess.run(key, signal, async () => {
      const endTurn = await this.#turns.wait(key, signal);
      try {
        return await task();
      } finally {
        await endTurn();
      }
    });
  }
}
