import { type Clock, systemClock } from '@gateway/core';
import type { Redis } from '@gateway/store';
import { BatchedReads } from './batched-reads.ts';
import { Bodies } from './bodies.ts';
import type { Encoding } from './compress.ts';
import { type CachedBody, type Entry, generationOf } from './entry.ts';
import { EntryLoads, type LoadOptions } from './entry-loads.ts';
import type { CachedListKey, CacheKey } from './keys.ts';
import { ListDrops, OutageLog } from './outages.ts';
import { type RowInTransition, RowsInTransition, TransitionLimit } from './rows-in-transition.ts';
import { type Absent, type Hit, StoredEntries } from './stored-entries.ts';
import { UnsharedLoads } from './unshared-loads.ts';

/** Where a response came from: the memory of this process, the shared cache, or the cloud. */
type ReadOutcome = Hit['outcome'] | 'miss';

interface ListCacheOptions {
  /** The memory in which this process holds the entries that it reads; 0, the default, for none. */
  processBytes?: number;
  /**
   * Maximum age of a list that this process has loaded without the shared cache; 0, the default, for none.
   */
  unsharedSeconds?: number;
  /** How long a row counts as in transition; half an hour by default. */
  transitionLimitSeconds?: number;
  clock?: Clock;
  onRead?(list: string, outcome: ReadOutcome): void;
  /** Called when a list was compressed. */
  onCompress?(list: string, encoding: Encoding): void;
  /** The cache is unavailable: lists were loaded from the cloud, or a drop had no effect. */
  onUnavailable?(error: unknown): void;
}

/**
 * Cache-aside for lists, stored as serialized bodies in Redis and, in front of it, in this process.
 * Concurrent misses share one load from the cloud, in this process and across processes. An unavailable cache
 * never causes an error: each process then shares its own loads. See decision 15.
 */
export class ListCache {
  readonly #options: ListCacheOptions;
  readonly #outages: OutageLog;
  readonly #entries: StoredEntries;
  readonly #bodies = new Bodies();
  readonly #rows: RowsInTransition;
  readonly #loads: EntryLoads;
  readonly #unshared: UnsharedLoads;
  readonly #drops: ListDrops;

  constructor(redis: Redis, options: ListCacheOptions = {}) {
    const { onUnavailable, processBytes = 0, unsharedSeconds = 0 } = options;
    const { clock = systemClock, transitionLimitSeconds = 1800 } = options;
    const limit = new TransitionLimit(transitionLimitSeconds, clock);
    const outages = new OutageLog(onUnavailable);
    const reads = new BatchedReads(redis);
    this.#options = options;
    this.#outages = outages;
    this.#entries = new StoredEntries({ redis, reads, outages, processBytes, onUnavailable });
    this.#rows = new RowsInTransition({ redis, limit, outages });
    this.#loads = new EntryLoads({ redis, outages, entries: this.#entries, rows: this.#rows });
    this.#unshared = new UnsharedLoads(unsharedSeconds * 1000, limit);
    this.#drops = new ListDrops(redis, outages);
    redis.on('close', () => outages.note());
    redis.on('ready', () => {
      const { missed } = this.#drops;
      if (missed.length > 0) void this.drop(...missed);
    });
  }

  /**
   * Returns the cached list, else loads and stores it. Throws what `load` throws, and 400 for a selection
   * with an unknown marker.
   */
  async getOrLoad(key: CacheKey, options: LoadOptions): Promise<CachedBody> {
    const { refresh = false } = options;
    let found: Hit | Absent;
    let generation: string;
    try {
      found = await this.#entries.find(key, refresh ? {} : options);
      generation =
        found.state === 'hit'
          ? generationOf(found.entry)
          : (found.generation ?? (await this.#entries.startGeneration(key)));
    } catch (error) {
      // No second attempt: with a hanging cache, each attempt lasts until its timeout.
      this.#outages.report(error);
      return this.#getOrLoadUnshared(key, options);
    }
    const known = found.state === 'hit' ? found : null;
    const hit = refresh ? null : known;
    this.#options.onRead?.(key.list, hit?.outcome ?? 'miss');
    const entry = hit?.entry ?? (await this.#loads.load(key, { generation, known: known?.entry }, options));
    return this.#bodies.of(entry, options, (made) => this.#onMade(key, entry, made));
  }

  /**
   * Whether a list that is not cached has a row which is still expected to change.
   * @param rows all of its rows in transition
   */
  isInTransition(key: CacheKey, rows: readonly RowInTransition[]): Promise<boolean> {
    return this.#rows.judgeUncached(key, rows);
  }

  /**
   * Drops lists for all their readers. Await it before the response of the write that changed them. A drop
   * that fails is repeated when the cache is available again.
   */
  async drop(...lists: CachedListKey[]): Promise<void> {
    for (const list of lists) this.#unshared.drop(list);
    await this.#drops.drop(lists);
  }

  /** Keeps a further body of an entry. Nothing waits for Redis. */
  #onMade(key: CacheKey, entry: Entry, made: Encoding | 'selected'): void {
    this.#entries.grew(key, entry);
    if (made === 'selected') return;
    this.#options.onCompress?.(key.list, made);
    void this.#entries.storeCompressed(key, entry, made);
  }

  async #getOrLoadUnshared(key: CacheKey, options: LoadOptions): Promise<CachedBody> {
    const kept = options.refresh ? undefined : this.#unshared.get(key);
    this.#options.onRead?.(key.list, kept === undefined ? 'miss' : 'process_hit');
    return this.#bodies.of(kept ?? (await this.#unshared.load(key, options)), options);
  }
}
