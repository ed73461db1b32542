import type { Reset, ResourceChange, WatchedType, WatchOptions } from './watch.ts';

/** One reader of the changes of a project: what it watches, and the events that it has not taken yet. */
export class Watcher {
  readonly options: WatchOptions;
  readonly #waiting: (ResourceChange | Reset)[] = [];
  /** Whether it has read its lists, or continues after an event that it knows. */
  #hasBegun: boolean;
  #failure: { error: unknown } | null = null;
  #wake = () => {};

  constructor(options: WatchOptions, hasBegun: boolean) {
    this.options = options;
    this.#hasBegun = hasBegun;
    options.signal?.addEventListener('abort', this.#onAbort);
  }

  close(): void {
    this.options.signal?.removeEventListener('abort', this.#onAbort);
  }

  /** Whether a connection with these types has all that it watches; undefined for all types. */
  isCoveredBy(types: readonly WatchedType[] | undefined): boolean {
    if (types === undefined) return true;
    return this.options.types?.every((type) => types.includes(type)) ?? false;
  }

  /** Asks it to read its lists if nothing has before. */
  begin(types: readonly WatchedType[], eventId: string): void {
    if (!this.#hasBegun) this.reset(types, eventId);
  }

  reset(types: readonly WatchedType[], eventId: string): void {
    const watched = types.filter((type) => this.#watches(type));
    if (watched.length === 0) return;
    this.#hasBegun = true;
    this.#push({ change: 'reset', types: watched, eventId });
  }

  change(change: ResourceChange): void {
    if (this.#watches(change.type)) this.#push(change);
  }

  fail(error: unknown): void {
    this.#failure ??= { error };
    this.#wake();
  }

  /** @throws the failure after the events before it; the reason of the signal at once */
  async *events(): AsyncGenerator<ResourceChange | Reset, void, void> {
    for (;;) {
      this.options.signal?.throwIfAborted();
      const event = this.#waiting.shift();
      if (event !== undefined) yield event;
      else if (this.#failure !== null) throw this.#failure.error;
      else
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
    }
  }

  readonly #onAbort = () => this.#wake();

  #watches(type: WatchedType): boolean {
    return this.options.types?.includes(type) ?? true;
  }

  #push(event: ResourceChange | Reset): void {
    this.#waiting.push(event);
    this.#wake();
  }
}
