/** Runs tasks with the same key one after the other, in the order of their calls, within this process. */
export class KeyedMutex {
  readonly #tails = new Map<string, Promise<unknown>>();

  /**
   * Waits for earlier tasks with the key, at most until `signal` aborts, and runs the task.
   * @throws the signal's reason if the earlier tasks do not end in time
   */
  async run<T>(key: string, signal: AbortSignal, task: () => Promise<T>): Promise<T> {
    const before = this.#tails.get(key) ?? Promise.resolve();
    const result = untilAborted(before, signal).then(task);
    // A task that stops waiting lets the next one wait for the tasks before it.
    const tail = Promise.allSettled([before, result]);
    this.#tails.set(key, tail);
    void tail.then(() => {
      if (this.#tails.get(key) === tail) this.#tails.delete(key);
    });
    return result;
  }
}

/** Resolves with the promise, or rejects with the signal's reason. */
function untilAborted(promise: Promise<unknown>, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    if (signal.aborted) return abort();
    signal.addEventListener('abort', abort, { once: true });
    void promise.finally(() => {
      signal.removeEventListener('abort', abort);
      resolve();
    });
  });
}
