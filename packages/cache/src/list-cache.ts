import { setTimeout as delay } from 'node:timers/promises';
import { type Redis, unlockScript } from '@gateway/redis';
import type { AcceptedEncoding, Encoding } from './compress.ts';
import { CompressedEntries } from './compressed-entries.ts';
import {
  type CachedBody,
  decodeEntry,
  type Entry,
  encodeEntry,
  generationOf,
  newReadId,
  randomId,
  serialize,
} from './entry.ts';
import { type CachedListKey, type CacheKey, entryKey, generationKey, lockKey, versionKey } from './keys.ts';
import { OutageLog } from './outage-log.ts';
import { ProcessLayer } from './process-layer.ts';
import type { ReadThroughOptions } from './read-options.ts';
import { generationScript } from './scripts/generation-script.ts';
import { storeEntryScript } from './scripts/store-entry-script.ts';
import { SharedLoads } from './shared-loads.ts';
import { UnsentReads } from './unsent-reads.ts';
import { UnsharedReads } from './unshared-reads.ts';
import { VersionReads } from './version-reads.ts';

/** Where a response came from: the memory of this process, the shared cache, or the cloud. */
type ReadOutcome = 'process_hit' | 'shared_hit' | 'miss';

interface ListCacheOptions {
  /** The memory in which this process holds the entries that it reads; 0, the default, for none. */
  processBytes?: number;
  /** Maximum age of a list that this process has read without the shared cache; 0, the default, keeps none. */
  unsharedSeconds?: number;
  onRead?(list: string, outcome: ReadOutcome): void;
  /** Called when a list was compressed. */
  onCompress?(list: string, encoding: Encoding): void;
  /** The cache could not be reached: reads went to the cloud, a drop had no effect. */
  onUnavailable?(error: unknown): void;
}

interface Found {
  entry: Entry;
  outcome: ReadOutcome;
}

/** The state of a list in the cache. */
interface Lookup {
  generation: string;
  found: Found | null;
}

const PLAIN: AcceptedEncoding = { encoding: null, allowsPlain: true };

const GENERATION_TTL_SECONDS = 3600;
/** Longer than any read from the cloud takes. A reader that died blocks the others for no longer than this. */
const LOCK_TTL_MS = 30_000;
const LOCK_POLL_MS = 20;
/** Drops that are repeated after an outage, the oldest go first. */
const MAX_MISSED_DROPS = 10_000;

/**
 * Cache-aside for lists, stored as serialized bodies in Redis and, in front of it, in this process. Concurrent misses share
 * one read from the cloud, in this process and across processes. An unavailable cache never causes an error: each process
 * then shares its own reads. See decision 15.
 */
export class ListCache {
  readonly #redis: Redis;
  readonly #options: ListCacheOptions;
  readonly #layer: ProcessLayer;
  readonly #versions: VersionReads;
  readonly #compressed: CompressedEntries;
  readonly #unshared: UnsharedReads;
  readonly #outages = new OutageLog();
  readonly #loads = new SharedLoads<Entry>();
  readonly #reads = new UnsentReads<Entry | null>();
  /** By generation key. */
  readonly #missedDrops = new Map<string, CachedListKey>();

  constructor(redis: Redis, options: ListCacheOptions = {}) {
    this.#redis = redis;
    this.#options = options;
    this.#layer = new ProcessLayer(options.processBytes ?? 0);
    this.#unshared = new UnsharedReads((options.unsharedSeconds ?? 0) * 1000);
    this.#versions = new VersionReads(redis, this.#outages);
    this.#compressed = new CompressedEntries({
      redis,
      layer: this.#layer,
      versions: this.#versions,
      outages: this.#outages,
      onCompress: options.onCompress,
      onUnavailable: options.onUnavailable,
    });
    redis.on('close', () => this.#outages.note());
    redis.on('ready', () => {
      if (this.#missedDrops.size > 0) void this.drop(...this.#missedDrops.values());
    });
  }

  /** Returns the cached list; null if there is none or the cache is unavailable. */
  async read(key: CacheKey, accepted: AcceptedEncoding = PLAIN): Promise<CachedBody | null> {
    try {
      const compressed = await this.#findCompressed(key, accepted);
      const found = compressed === undefined ? await this.#find(key) : compressed;
      if (found === null) return null;
      this.#options.onRead?.(key.list, found.outcome);
      return compressed
        ? compressed.entry.content
        : await this.#compressed.encode(key, found.entry, accepted);
    } catch (error) {
      this.#noteOutage(error);
      return null;
    }
  }

  #findCompressed(
    key: CacheKey,
    { encoding, allowsPlain }: AcceptedEncoding,
  ): ReturnType<CompressedEntries['find']> | undefined {
    return encoding === null ? undefined : this.#compressed.find(key, encoding, allowsPlain);
  }

  async #find(key: CacheKey): Promise<Found | null> {
    const held = await this.#findInProcess(key);
    // Null means that Redis has no valid entry either.
    if (held !== undefined) return held;
    const entry = await this.#readEntry(key);
    return entry && { entry, outcome: 'shared_hit' };
  }

  /**
   * Returns the entry that this process holds if it is the one in Redis, null if Redis has none, and undefined if only
   * Redis has the current one.
   */
  async #findInProcess(key: CacheKey): Promise<Found | null | undefined> {
    const stored = entryKey(key);
    const entry = this.#layer.get(stored);
    if (entry === undefined) return undefined;
    const version = await this.#versions.read(key);
    if (version === entry.version) return { entry, outcome: 'process_hit' };
    this.#layer.delete(stored);
    return version === null ? null : undefined;
  }

  #readEntry(key: CacheKey): Promise<Entry | null> {
    const stored = entryKey(key);
    return this.#reads.share(stored, async () => {
      const [entry, generation] = await this.#redis.mgetBuffer(stored, generationKey(key));
      return this.#holdTrusted(key, decodeEntry(entry, generation));
    });
  }

  /** Returns the cached list, else loads and stores it. Throws what `load` throws. */
  async readThrough(key: CacheKey, options: ReadThroughOptions): Promise<CachedBody> {
    const { refresh = false, accepted = PLAIN } = options;
    let lookup: Lookup;
    try {
      const compressed = refresh ? undefined : await this.#findCompressed(key, accepted);
      if (compressed) {
        this.#options.onRead?.(key.list, compressed.outcome);
        return compressed.entry.content;
      }
      lookup = await this.#lookUp(key);
    } catch (error) {
      // No second attempt: with a hanging cache, each attempt lasts until its timeout.
      this.#noteOutage(error);
      return this.#readUnshared(key, options);
    }
    const { found } = lookup;
    this.#options.onRead?.(key.list, found !== null && !refresh ? found.outcome : 'miss');
    const entry = found !== null && !refresh ? found.entry : await this.#load(key, lookup, options);
    return this.#compressed.encode(key, entry, accepted);
  }

  async #readUnshared(key: CacheKey, options: ReadThroughOptions): Promise<CachedBody> {
    const kept = options.refresh ? undefined : this.#unshared.get(key);
    this.#options.onRead?.(key.list, kept === undefined ? 'miss' : 'process_hit');
    return this.#unshared.encode(
      kept ?? (await this.#unshared.load(key, options)),
      options.accepted ?? PLAIN,
    );
  }

  /**
   * Drops lists for all their readers. Await it before the response of the write that changed them. A drop that fails is
   * repeated when the cache is available again.
   */
  async drop(...lists: CachedListKey[]): Promise<void> {
    for (const list of lists) {
      this.#unshared.drop(list);
      this.#missedDrops.set(generationKey(list), list);
    }
    try {
      await Promise.all(
        lists.map((list) => this.#redis.set(generationKey(list), randomId(), 'EX', GENERATION_TTL_SECONDS)),
      );
      for (const list of lists) {
        const stored = generationKey(list);
        // Another drop of the list may have failed meanwhile.
        if (this.#missedDrops.get(stored) === list) this.#missedDrops.delete(stored);
      }
    } catch (error) {
      this.#noteOutage(error);
      for (const oldest of this.#missedDrops.keys()) {
        if (this.#missedDrops.size <= MAX_MISSED_DROPS) break;
        this.#missedDrops.delete(oldest);
      }
    }
  }

  #noteOutage(error: unknown): void {
    this.#outages.note();
    this.#options.onUnavailable?.(error);
  }

  async #lookUp(key: CacheKey): Promise<Lookup> {
    const held = await this.#findInProcess(key);
    if (held) return { generation: generationOf(held.entry), found: held };
    const [stored, current] = await this.#redis.mgetBuffer(entryKey(key), generationKey(key));
    if (current) {
      const entry = this.#holdTrusted(key, decodeEntry(stored, current));
      return { generation: current.toString(), found: entry && { entry, outcome: 'shared_hit' } };
    }
    // The generation was evicted: the entry may be older than a write, so it is not used.
    const started = await generationScript.run(
      this.#redis,
      { generation: generationKey(key) },
      { newGeneration: randomId(), seconds: GENERATION_TTL_SECONDS },
    );
    return { generation: String(started), found: null };
  }

  /** Keeps an entry in this process, unless it may be outdated. */
  #holdTrusted(key: CacheKey, entry: Entry | null): Entry | null {
    if (entry === null || !this.#outages.isTrusted(entry.version)) return null;
    this.#layer.put(entryKey(key), entry);
    return entry;
  }

  /** Loads the list, once for all concurrent callers. */
  #load(key: CacheKey, lookup: Lookup, options: ReadThroughOptions): Promise<Entry> {
    const loadKey = `${entryKey(key)}@${lookup.generation}${options.refresh ? '!' : ''}`;
    return this.#loads.share(loadKey, () => this.#loadOnce(key, lookup, options));
  }

  async #loadOnce(key: CacheKey, lookup: Lookup, options: ReadThroughOptions): Promise<Entry> {
    const lock = lockKey(key, lookup.generation);
    const readId = newReadId();
    const readElsewhere = await this.#lockOrWait(key, lock, readId, lookup.found?.entry);
    if (readElsewhere !== null) return readElsewhere;
    try {
      const response = await options.load();
      const content = await serialize(response, options.isComplete?.(response));
      const entry = { version: lookup.generation + readId, content };
      await this.#store(key, lock, entry, { readId, ttlSeconds: options.ttlSeconds(response) });
      return entry;
    } catch (error) {
      await this.#unlock(lock, readId);
      throw error;
    }
  }

  /** Acquires the lock and returns null, or returns what another reader has stored since `known`. */
  async #lockOrWait(
    key: CacheKey,
    lock: string,
    readId: string,
    known: Entry | undefined,
  ): Promise<Entry | null> {
    const deadline = Date.now() + LOCK_TTL_MS;
    const readElsewhere = async () => {
      const { found } = await this.#lookUp(key);
      return found === null || found.entry.version === known?.version ? null : found.entry;
    };
    try {
      while ((await this.#redis.set(lock, readId, 'PX', LOCK_TTL_MS, 'NX')) !== 'OK') {
        await delay(LOCK_POLL_MS);
        const entry = await readElsewhere();
        if (entry !== null) return entry;
        if (Date.now() > deadline) return null;
      }
      // The previous holder may have stored an entry between the lookup and the lock.
      const entry = await readElsewhere();
      if (entry !== null) await unlockScript.run(this.#redis, { lock }, { holder: readId });
      return entry;
    } catch (error) {
      this.#noteOutage(error);
      return null;
    }
  }

  async #store(
    key: CacheKey,
    lock: string,
    entry: Entry,
    { readId, ttlSeconds }: { readId: string; ttlSeconds: number },
  ): Promise<void> {
    try {
      const isStored = await storeEntryScript.run(
        this.#redis,
        { entry: entryKey(key), version: versionKey(key), generation: generationKey(key), lock },
        {
          currentGeneration: generationOf(entry),
          loadId: readId,
          content: encodeEntry(entry),
          seconds: ttlSeconds,
          moreSeconds: GENERATION_TTL_SECONDS,
        },
      );
      if (isStored === 1) this.#layer.put(entryKey(key), entry);
    } catch (error) {
      this.#noteOutage(error);
    }
  }

  async #unlock(lock: string, readId: string): Promise<void> {
    try {
      await unlockScript.run(this.#redis, { lock }, { holder: readId });
    } catch (error) {
      this.#noteOutage(error);
    }
  }
}
