import { loadTimeOf } from './entry.ts';

/**
 * When this process last failed to reach the shared cache. Another process may have failed to drop a list at
 * that time, so that everything loaded before may be outdated.
 */
export class OutageLog {
  readonly #onUnavailable: ((error: unknown) => void) | undefined;
  #lastAt = 0;

  constructor(onUnavailable?: (error: unknown) => void) {
    this.#onUnavailable = onUnavailable;
  }

  /** Records that the connection is closed. */
  note(): void {
    this.#lastAt = Date.now();
  }

  /** Records and reports that a command has failed. */
  report(error: unknown): void {
    this.note();
    this.#onUnavailable?.(error);
  }

  /** Whether the entry with this version was loaded after the last outage. */
  isTrusted(version: string): boolean {
    return this.#lastAt === 0 || loadTimeOf(version) > this.#lastAt;
  }
}
