import { GatewayError } from '@gateway/core';

/**
 * Loads that concurrent readers share. A refusal of one reader, for example because their token was just
 * revoked, does not apply to the others: they load again, with the rights of one of them.
 */
export class SharedLoads<T> {
  readonly #running = new Map<string, Promise<T>>();

  /** @throws the errors of `load`, and those of a joined load except refusals */
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

  /** Prevents further readers from joining the running loads of these keys. */
  detach(prefix: string): void {
    for (const key of this.#running.keys()) if (key.startsWith(prefix)) this.#running.delete(key);
  }
}

/** After a 429, repeating the load for other readers would add load on the service. */
function concernsReaderOnly(error: unknown): boolean {
  return error instanceof GatewayError && error.status < 500 && error.status !== 429;
}
