import { sleep } from '@gateway/core';
import type { Logger } from '@gateway/telemetry';

const RETRY_MS = 250;
const MOST_RETRIES = 240;

/**
 * Tells the store what came of requests. What is done is done, though the store be away: the caller is answered,
 * and the store is told later, for a minute at most.
 */
export class Outcomes {
  readonly #logger: Logger;
  readonly #closing = new AbortController();

  constructor(logger: Logger) {
    this.#logger = logger;
  }

  close(): void {
    this.#closing.abort();
  }

  /** Gives what the store said, or null while it can not be told. */
  async tell<T>(tell: () => Promise<T>): Promise<T | null> {
    try {
      return await tell();
    } catch (error) {
      this.#logger.warn('The outcome of a request with a key could not be stored yet', { error });
      void this.tellLater(tell);
      return null;
    }
  }

  async tellLater(tell: () => Promise<unknown>): Promise<void> {
    const { signal } = this.#closing;
    for (let tried = 0; tried < MOST_RETRIES && !signal.aborted; tried += 1) {
      const isOver = await sleep(RETRY_MS, signal)
        .then(tell)
        .then(
          () => true,
          () => false,
        );
      if (isOver) return;
    }
  }
}
