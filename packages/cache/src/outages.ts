import { atMost } from '@gateway/core';
import type { Redis } from '@gateway/store';
import { LRUCache } from 'lru-cache';
import { loadTimeOf, randomId } from './entry.ts';
import { type CachedListKey, GENERATION_TTL_SECONDS, generationKey } from './keys.ts';

/** Lists live no longer, unless the configuration says so. */
const LONG_LIFE_MS = 600_000;

/**
 * When this process last failed to reach the shared cache. Another process may have failed to drop a list at
 * that time, so that everything loaded before may be outdated.
 */
export class OutageLog {
  readonly #onUnavailable: ((error: unknown) => void) | undefined;
  #lastAt = 0;
  /** What a clock that was ahead has shown at the outage; 0 if it was not. */
  #aheadUntil = 0;

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
    if (this.#lastAt === 0) return true;
    const now = Date.now();
    // The clock was corrected backwards since. After a smaller correction, lists stay away for its length.
    if (this.#lastAt > now + LONG_LIFE_MS) [this.#aheadUntil, this.#lastAt] = [this.#lastAt, now];
    const loadedAt = loadTimeOf(version);
    // An entry from before the correction seems to come from the future for as long as it lives.
    const isOfAheadClock = loadedAt > now && loadedAt <= this.#aheadUntil;
    return loadedAt > this.#lastAt && !isOfAheadClock;
  }
}

/** Drops that can be repeated after an outage. The oldest are lost first. */
const MAX_MISSED = 10_000;

/** Drops lists in Redis by a new generation, and keeps those that could not be dropped. */
export class ListDrops {
  readonly #redis: Redis;
  readonly #outages: OutageLog;
  /** By generation key. Also holds drops that are under way. */
  readonly #missed = new LRUCache<string, CachedListKey>(atMost(MAX_MISSED));

  constructor(redis: Redis, outages: OutageLog) {
    this.#redis = redis;
    this.#outages = outages;
  }

  /** The lists that have to be dropped again. */
  get missed(): CachedListKey[] {
    return [...this.#missed.values()];
  }

  async drop(lists: readonly CachedListKey[]): Promise<void> {
    for (const list of lists) this.#missed.set(generationKey(list), list);
    try {
      await Promise.all(
        lists.map((list) => this.#redis.set(generationKey(list), randomId(), 'EX', GENERATION_TTL_SECONDS)),
      );
      for (const list of lists) {
        const stored = generationKey(list);
        // Another drop of the list may have failed meanwhile.
        if (this.#missed.peek(stored) === list) this.#missed.delete(stored);
      }
    } catch (error) {
      this.#outages.report(error);
    }
  }
}
