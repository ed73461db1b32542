import type { Redis } from '@gateway/redis';
import type { AcceptedEncoding, Encoding } from './compress.ts';
import { CompressedEntries } from './compressed-entries.ts';
import type { CachedBody } from './entry.ts';
import { EntryLoads } from './entry-loads.ts';
import type { CachedListKey, CacheKey } from './keys.ts';
import { ListDrops } from './list-drops.ts';
import type { LoadOptions } from './load-options.ts';
import { OutageLog } from './outage-log.ts';
import { ProcessLayer } from './process-layer.ts';
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
  onRead?(list: string, outcome: ReadOutcome): void;
  /** Called when a list was compressed. */
  onCompress?(list: string, encoding: Encoding): void;
  /** The cache is unavailable: lists were loaded from the cloud, or a drop had no effect. */
  onUnavailable?(error: unknown): void;
}

const PLAIN: AcceptedEncoding = { encoding: null, allowsPlain: true };

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
  readonly #loads: EntryLoads;
  readonly #unshared: UnsharedLoads;
  readonly #drops: ListDrops;

  constructor(redis: Redis, options: ListCacheOptions = {}) {
    const { onCompress, onUnavailable, processBytes = 0, unsharedSeconds = 0 } = options;
    const outages = new OutageLog(onUnavailable);
    const versions = new VersionReads(redis, outages);
    const shared = { redis, layer: new ProcessLayer(processBytes), versions, outages };
    this.#options = options;
    this.#outages = outages;
    this.#entries = new StoredEntries(shared);
    this.#compressed = new CompressedEntries({ ...shared, onCompress, onUnavailable });
    this.#loads = new EntryLoads({ ...shared, entries: this.#entries });
    this.#unshared = new UnsharedLoads(unsharedSeconds * 1000);
    this.#drops = new ListDrops(redis, outages);
    redis.on('close', () => outages.note());
    redis.on('ready', () => {
      const { missed } = this.#drops;
      if (missed.length > 0) void this.drop(...missed);
    });
  }

  /** Returns the cached list; null if there is none or the cache is unavailable. */
  async get(key: CacheKey, accepted: AcceptedEncoding = PLAIN): Promise<CachedBody | null> {
    try {
      const compressed = await this.#findCompressed(key, accepted);
      const found = compressed === undefined ? await this.#entries.find(key) : compressed;
      if (found === null) return null;
      this.#options.onRead?.(key.list, found.outcome);
      return compressed
        ? compressed.entry.content
        : await this.#compressed.encode(key, found.entry, accepted);
    } catch (error) {
      this.#outages.report(error);
      return null;
    }
  }

  /** Returns the cached list, else loads and stores it. Throws what `load` throws. */
  async getOrLoad(key: CacheKey, options: LoadOptions): Promise<CachedBody> {
    const { refresh = false, accepted = PLAIN } = options;
    let lookup: Lookup;
    try {
      const compressed = refresh ? undefined : await this.#findCompressed(key, accepted);
      if (compressed) {
        this.#options.onRead?.(key.list, compressed.outcome);
        return compressed.entry.content;
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
    return this.#compressed.encode(key, entry, accepted);
  }

  /**
   * Drops lists for all their readers. Await it before the response of the write that changed them. A drop
   * that fails is repeated when the cache is available again.
   */
  async drop(...lists: CachedListKey[]): Promise<void> {
    for (const list of lists) this.#unshared.drop(list);
    await this.#drops.drop(lists);
  }

  #findCompressed(
    key: CacheKey,
    { encoding, allowsPlain }: AcceptedEncoding,
  ): ReturnType<CompressedEntries['find']> | undefined {
    return encoding === null ? undefined : this.#compressed.find(key, encoding, allowsPlain);
  }

  async #getOrLoadUnshared(key: CacheKey, options: LoadOptions): Promise<CachedBody> {
    const kept = options.refresh ? undefined : this.#unshared.get(key);
    this.#options.onRead?.(key.list, kept === undefined ? 'miss' : 'process_hit');
    return this.#unshared.encode(
      kept ?? (await this.#unshared.load(key, options)),
      options.accepted ?? PLAIN,
    );
  }
}
