import { type Clock, GatewayError, systemClock } from '@gateway/core';
import type { Redis } from '@gateway/redis';
import { BatchedReads } from './batched-reads.ts';
import type { AcceptedEncoding, Encoding } from './compress.ts';
import { CompressedEntries } from './compressed-entries.ts';
import type { CachedBody, Entry } from './entry.ts';
import { EntryLoads } from './entry-loads.ts';
import type { CachedListKey, CacheKey } from './keys.ts';
import { ListDrops } from './list-drops.ts';
import type { LoadOptions, ReadOptions } from './load-options.ts';
import { OutageLog } from './outage-log.ts';
import { ProcessLayer } from './process-layer.ts';
import { type RowInTransition, TransitionLimit } from './rows-in-transition.ts';
import { SeenRows } from './seen-rows.ts';
import { SelectedEntries, selectOnce } from './selected-entries.ts';
import { type FoundEntry, type Lookup, StoredEntries } from './stored-entries.ts';
import { UnsharedLoads } from './unshared-loads.ts';
import { VersionReads } from './version-reads.ts';

/** Where a response came from: the memory of this process, the shared cache, or the cloud. */
type ReadOutcome = FoundEntry['outcome'] | 'miss';

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

const PLAIN: AcceptedEncoding = { encoding: null, allowsPlain: true };

/** Whether the bytes to send are those of the entry itself. */
function isStoredForm({ accepted = PLAIN, selection }: ReadOptions): boolean {
  return selection === undefined && accepted.encoding === null;
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
  readonly #compressed: CompressedEntries;
  readonly #selected: SelectedEntries;
  readonly #seenRows: SeenRows;
  readonly #loads: EntryLoads;
  readonly #unshared: UnsharedLoads;
  readonly #drops: ListDrops;

  constructor(redis: Redis, options: ListCacheOptions = {}) {
    const { onCompress, onUnavailable, processBytes = 0, unsharedSeconds = 0 } = options;
    const { clock = systemClock, transitionLimitSeconds = 1800 } = options;
    const limit = new TransitionLimit(transitionLimitSeconds, clock);
    const outages = new OutageLog(onUnavailable);
    const reads = new BatchedReads(redis);
    const versions = new VersionReads(reads, outages);
    const shared = { redis, layer: new ProcessLayer(processBytes), reads, versions, outages };
    this.#options = options;
    this.#outages = outages;
    this.#entries = new StoredEntries(shared);
    this.#compressed = new CompressedEntries({ ...shared, onCompress, onUnavailable });
    this.#selected = new SelectedEntries(shared);
    this.#seenRows = new SeenRows({ redis, limit, outages });
    this.#loads = new EntryLoads({ ...shared, entries: this.#entries, seenRows: this.#seenRows });
    this.#unshared = new UnsharedLoads(unsharedSeconds * 1000, limit);
    this.#drops = new ListDrops(redis, outages);
    redis.on('close', () => outages.note());
    redis.on('ready', () => {
      const { missed } = this.#drops;
      if (missed.length > 0) void this.drop(...missed);
    });
  }

  /**
   * Returns the cached list; null if there is none or the cache is unavailable.
   * @throws 400 for a selection with an unknown marker
   */
  async get(key: CacheKey, options: ReadOptions = {}): Promise<CachedBody | null> {
    try {
      const isStored = isStoredForm(options);
      const ready = isStored ? undefined : await this.#findReady(key, options);
      const found = ready === undefined ? await this.#entries.find(key) : ready;
      if (found === null) return null;
      this.#options.onRead?.(key.list, found.outcome);
      return isStored || ready ? found.entry.content : await this.#present(key, found.entry, options);
    } catch (error) {
      if (error instanceof GatewayError) throw error;
      this.#outages.report(error);
      return null;
    }
  }

  /**
   * Returns the cached list, else loads and stores it. Throws what `load` throws, and 400 for a selection
   * with an unknown marker.
   */
  async getOrLoad(key: CacheKey, options: LoadOptions): Promise<CachedBody> {
    const { refresh = false } = options;
    let lookup: Lookup;
    try {
      const ready = refresh || isStoredForm(options) ? undefined : await this.#findReady(key, options);
      if (ready) {
        this.#options.onRead?.(key.list, ready.outcome);
        return ready.entry.content;
      }
      lookup = await this.#entries.lookUp(key);
    } catch (error) {
      // No second attempt: with a hanging cache, each attempt lasts until its timeout.
      this.#outages.report(error);
      return this.#getOrLoadUnshared(key, options);
    }
    const found = refresh ? null : lookup.found;
    this.#options.onRead?.(key.list, found?.outcome ?? 'miss');
    const entry = found?.entry ?? (await this.#loads.load(key, lookup, options));
    return this.#present(key, entry, options);
  }

  /**
   * Whether a list that is not cached has a row which is still expected to change.
   * @param rows all of its rows in transition
   */
  isInTransition(key: CacheKey, rows: readonly RowInTransition[]): Promise<boolean> {
    return this.#seenRows.judgeUncached(key, rows);
  }

  /**
   * Drops lists for all their readers. Await it before the response of the write that changed them. A drop
   * that fails is repeated when the cache is available again.
   */
  async drop(...lists: CachedListKey[]): Promise<void> {
    for (const list of lists) this.#unshared.drop(list);
    await this.#drops.drop(lists);
  }

  /**
   * Finds the bytes to send, if they are not those of the entry itself. Null if there is no current entry,
   * and undefined if they have to be made from the entry.
   */
  async #findReady(
    key: CacheKey,
    { accepted = PLAIN, selection }: ReadOptions,
  ): Promise<FoundEntry | null | undefined> {
    if (selection !== undefined) return this.#selected.find(key, selection, accepted);
    const { allowsPlain, encoding } = accepted;
    return encoding === null ? undefined : this.#compressed.find(key, encoding, allowsPlain);
  }

  /** The bytes to send, from a plain entry. */
  #present(key: CacheKey, entry: Entry, { accepted = PLAIN, selection }: ReadOptions): Promise<CachedBody> {
    return selection === undefined
      ? this.#compressed.encode(key, entry, accepted)
      : this.#selected.select(key, entry, selection, accepted);
  }

  async #getOrLoadUnshared(key: CacheKey, options: LoadOptions): Promise<CachedBody> {
    const kept = options.refresh ? undefined : this.#unshared.get(key);
    this.#options.onRead?.(key.list, kept === undefined ? 'miss' : 'process_hit');
    const content = kept ?? (await this.#unshared.load(key, options));
    const { accepted = PLAIN, selection } = options;
    return selection === undefined
      ? this.#unshared.encode(content, accepted)
      : selectOnce(content, selection, accepted);
  }
}
