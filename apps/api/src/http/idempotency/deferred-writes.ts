import { sleep } from '@gateway/core';
import type { Logger } from '@gateway/platform';

const RETRY_MS = 250;
const MAX_RETRIES = 240;

/**
 * Writes the results of requests to the store. A failed write does not fail its request: the write is retried
 * in the background, for a minute at most.
 */
export class DeferredWrites {
  readonly #logger: Logger;
  readonly #closing = new AbortController();

  constructor(logger: Logger) {
    this.#logger = logger;
  }

  /** Stops all retries. */
  close(): void {
    this.#closing.abort();
  }

  /** Returns the result of the write, or null if the write failed and is retried in the background. */
  async attempt<T>(write: () => Promise<T>): Promise<T | null> {
    try {
      return await write();
    } catch (error) {
      this.#logger.warn('Failed to store the result of a request with an idempotency key; retrying', {
        error,
      });
      void this.retry(write);
      return null;
    }
  }

  /** Retries until a write succeeds, a minute has passed or the process stops. Never throws. */
  async retry(write: () => Promise<unknown>): Promise<void> {
    const { signal } = this.#closing;
    for (let retries = 0; retries < MAX_RETRIES && !signal.aborted; retries += 1) {
      const isWritten = await sleep(RETRY_MS, signal)
        .then(write)
        .then(
          () => true,
          () => false,
        );
      if (isWritten) return;
    }
  }
}
