/**
 * Shares a read among the requests that arrive in the same iteration of the event loop. The connection sends
 * its commands at the end of the iteration, so each request reads what is stored after its arrival.
 */
export class UnsentReads<T> {
  readonly #reads = new Map<string, Promise<T>>();

  share(key: string, send: () => Promise<T>): Promise<T> {
    const unsent = this.#reads.get(key);
    if (unsent !== undefined) return unsent;
    if (this.#reads.size === 0) setImmediate(() => this.#reads.clear());
    const read = send();
    this.#reads.set(key, read);
    return read;
  }
}
