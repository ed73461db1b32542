/**
 * Shares a read among the requests that arrive in the same turn of the event loop. The connection pipelines its commands:
 * it sends them at the end of the turn, so none of these requests gets what was stored before it arrived.
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
