import { readTimeOf } from './entry.ts';

/**
 * Remembers when this process last failed to reach the shared cache. Another process may have failed to drop a list
 * meanwhile, so that what was read before that may be outdated.
 */
export class OutageLog {
  #lastAt = 0;

  note(): void {
    this.#lastAt = Date.now();
  }

  /** Whether the entry with this version was read after the last outage. */
  isTrusted(version: string): boolean {
    return this.#lastAt === 0 || readTimeOf(version) > this.#lastAt;
  }
}
