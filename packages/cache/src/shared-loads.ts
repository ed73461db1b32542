import { GatewayError } from '@gateway/core';

/**
 * Loads that concurrent readers share. What refuses one reader, as a token that has just been revoked, does not concern the
 * others: they load once more, with the rights of one of them.
 */
export class SharedLoads<T> {
  readonly #running = new Map<string, Promise<T>>();

  /** @throws what `load` throws, and the failures, but not the refusals, of a load that was joined */
  async share(key: string, load: () => Promise<T>): Promise<T> {
    for (let running = this.#running.get(key); running !== undefined; running = this.#running.get(key)) {
      try {
        return await running;
      } catch (error) {
        if (!concernsReaderOnly(error)) throw error;
      }
    }
    const started = load().finally(() => {
      if (this.#running.get(key) === started) this.#running.delete(key);
    });
    this.#running.set(key, started);
    return started;
  }

  /** Nobody joins the running loads of these keys any more. */
  detach(prefix: string): void {
    for (const key of this.#running.keys()) if (key.startsWith(prefix)) this.#running.delete(key);
  }
}

/** A service that answers 429 is asked less, not more. */
function concernsReaderOnly(error: unknown): boolean {
  return error instanceof GatewayError && error.status < 500 && error.status !== 429;
}
