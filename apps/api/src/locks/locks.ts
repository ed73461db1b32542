import type { Redis } from '@gateway/store';
import { KeyedMutex } from './keyed-mutex.ts';
import { LockQueue, type LockQueueOptions } from './lock-queue.ts';

/** Runs tasks with the same key one after the other, in the order of their calls, in all api processes. */
export class Locks {
  /**
   * Lets only the first task of this process enter the queue in the store. Otherwise a process with many
   * changes would fill it, and those of other processes would wait for all of them.
   */
  readonly #ofProcess = new KeyedMutex();
  readonly #ofAllProcesses: LockQueue;

  constructor(redis: Redis, options: LockQueueOptions) {
    this.#ofAllProcesses = new LockQueue(redis, options);
  }

  /** @throws the signal's reason if the earlier tasks do not end in time */
  run<T>(key: string, signal: AbortSignal, task: () => Promise<T>): Promise<T> {
    return this.#ofProcess.run(key, signal, async () => {
      const release = await this.#ofAllProcesses.acquire(key, signal);
      try {
        return await task();
      } finally {
        await release();
      }
    });
  }
}
