/**
 * Runs concurrent calls with the same key once. All callers get the same result or the same error, unless
 * `isShared` says that an error concerns only the caller who started. Each of the others then starts again,
 * or joins one of them who has.
 */
export class SingleFlight<T> {
  readonly #running = new Map<string, Promise<T>>();
  readonly #isShared: ((error: unknown) => boolean) | null;

  /** @param isShared by default, every error is shared */
  constructor(isShared: ((error: unknown) => boolean) | null = null) {
    this.#isShared = isShared;
  }

  run(key: string, start: () => Promise<T>): Promise<T> {
    const running = this.#running.get(key);
    if (running === undefined) return this.#start(key, start);
    const isShared = this.#isShared;
    if (isShared === null) return running;
    return running.catch((error: unknown) => {
      if (isShared(error)) throw error;
      return this.run(key, start);
    });
  }

  /** Later callers do not join the running calls whose keys begin so. */
  detach(prefix: string): void {
    for (const key of this.#running.keys()) if (key.startsWith(prefix)) this.#running.delete(key);
  }

  #start(key: string, start: () => Promise<T>): Promise<T> {
    const started = start().finally(() => {
      if (this.#running.get(key) === started) this.#running.delete(key);
    });
    this.#running.set(key, started);
    return started;
  }
}
