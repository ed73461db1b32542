import { setTimeout as delay } from 'node:timers/promises';
import type { Redis } from '@gateway/redis';
import { type CachedBody, decodeEntry, type Entry, encodeEntry, randomId, serialize } from './entry.ts';
import { type CachedListKey, type CacheKey, entryKey, generationKey, lockKey } from './keys.ts';

export interface ListCacheEvents {
  onRead?(list: string, outcome: 'hit' | 'miss'): void;
  /** The cache could not be reached: reads went to the cloud, a drop had no effect. */
  onUnavailable?(error: unknown): void;
}

export interface ReadThroughOptions {
  /** How long the response is kept; 0 means not at all. */
  ttlSeconds: (response: unknown) => number;
  /** Reads the list from the cloud. */
  load: () => Promise<unknown>;
  /** Ignores the cached entry, reads anew and stores the result. Concurrent refreshes share one read. */
  refresh?: boolean;
}

/** The state of a list in the cache. */
interface Lookup {
  generation: string;
  entry: Entry | null;
}

const GENERATION_TTL_SECONDS = 3600;
/** Longer than any read from the cloud takes. A reader that died blocks the others for no longer than this. */
const LOCK_TTL_MS = 30_000;
const LOCK_POLL_MS = 20;

/** Returns the generation; starts one if there is none. KEYS: 1 generation. ARGV: 1 new generation, 2 seconds. */
const GENERATION_SCRIPT = `
  redis.call('SET', KEYS[1], ARGV[1], 'EX', ARGV[2], 'NX')
  return redis.call('GET', KEYS[1])`;

/**
 * Releases the lock, and stores the entry unless the list was dropped since the read began. A generation outlives its
 * entries.
 *
 * KEYS: 1 entry, 2 generation, 3 lock. ARGV: 1 generation, 2 entry, 3 seconds (0: do not store), 4 holder of the lock,
 * 5 seconds by which the generation outlives the entry.
 */
const STORE_SCRIPT = `
  if redis.call('GET', KEYS[3]) == ARGV[4] then redis.call('DEL', KEYS[3]) end
  if redis.call('GET', KEYS[2]) ~= ARGV[1] or tonumber(ARGV[3]) <= 0 then return 0 end
  redis.call('SET', KEYS[1], ARGV[2], 'EX', ARGV[3])
  redis.call('EXPIRE', KEYS[2], ARGV[3] + ARGV[5])
  return 1`;

/** Releases a lock if the caller still holds it. KEYS: 1 lock. ARGV: 1 holder. */
const UNLOCK_SCRIPT = `if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end return 0`;

/**
 * Cache-aside for lists, stored as serialized bodies. Concurrent misses share one read from the cloud, in this process
 * and across processes. An unavailable cache never causes an error.
 */
export class ListCache {
  readonly #redis: Redis;
  readonly #events: ListCacheEvents;
  readonly #flights = new Map<string, Promise<CachedBody>>();
  /** Reads whose command has not been sent yet. */
  readonly #unsentReads = new Map<string, Promise<Entry | null>>();

  constructor(redis: Redis, events: ListCacheEvents = {}) {
    this.#redis = redis;
    this.#events = events;
  }

  /** Returns the cached list; null if there is none or the cache is unavailable. */
  async read(key: CacheKey): Promise<CachedBody | null> {
    try {
      const entry = await this.#readEntry(key);
      if (entry === null) return null;
      this.#events.onRead?.(key.list, 'hit');
      return entry.content;
    } catch (error) {
      this.#events.onUnavailable?.(error);
      return null;
    }
  }

  /**
   * Requests that arrive in the same turn of the event loop share one command. The connection pipelines its commands: it
   * sends them at the end of the turn, so none of these requests gets what was stored before it arrived.
   */
  #readEntry(key: CacheKey): Promise<Entry | null> {
    const stored = entryKey(key);
    const unsent = this.#unsentReads.get(stored);
    if (unsent !== undefined) return unsent;
    if (this.#unsentReads.size === 0) setImmediate(() => this.#unsentReads.clear());
    const read = this.#redis
      .mgetBuffer(stored, generationKey(key))
      .then(([entry, generation]) => decodeEntry(entry, generation));
    this.#unsentReads.set(stored, read);
    return read;
  }

  /** Returns the cached list, else loads and stores it. Throws what `load` throws. */
  async readThrough(key: CacheKey, options: ReadThroughOptions): Promise<CachedBody> {
    const { load, refresh = false } = options;
    let lookup: Lookup;
    try {
      lookup = await this.#lookUp(key);
    } catch (error) {
      // No second attempt: with a hanging cache, each attempt lasts until its timeout.
      this.#events.onUnavailable?.(error);
      this.#events.onRead?.(key.list, 'miss');
      return serialize(await load());
    }
    const { generation, entry } = lookup;
    if (entry !== null && !refresh) {
      this.#events.onRead?.(key.list, 'hit');
      return entry.content;
    }

    this.#events.onRead?.(key.list, 'miss');
    const flightKey = `${entryKey(key)}@${generation}${refresh ? '!' : ''}`;
    const inFlight = this.#flights.get(flightKey);
    if (inFlight !== undefined) return inFlight;
    const flight = this.#loadOnce(key, lookup, options).finally(() => this.#flights.delete(flightKey));
    this.#flights.set(flightKey, flight);
    return flight;
  }

  /** Drops lists for all their readers. Await it before the response of the write that changed them. */
  async drop(...lists: CachedListKey[]): Promise<void> {
    try {
      await Promise.all(
        lists.map((list) => this.#redis.set(generationKey(list), randomId(), 'EX', GENERATION_TTL_SECONDS)),
      );
    } catch (error) {
      this.#events.onUnavailable?.(error);
    }
  }

  async #lookUp(key: CacheKey): Promise<Lookup> {
    const [stored, current] = await this.#redis.mgetBuffer(entryKey(key), generationKey(key));
    if (current) return { generation: current.toString(), entry: decodeEntry(stored, current) };
    // The generation was evicted: the entry may be older than a write, so it is not used.
    const started = await this.#redis.eval(
      GENERATION_SCRIPT,
      1,
      generationKey(key),
      randomId(),
      GENERATION_TTL_SECONDS,
    );
    return { generation: String(started), entry: null };
  }

  async #loadOnce(key: CacheKey, lookup: Lookup, options: ReadThroughOptions): Promise<CachedBody> {
    const lock = lockKey(key, lookup.generation);
    const readId = randomId();
    const readElsewhere = await this.#lockOrWait(key, lock, readId, lookup.entry);
    if (readElsewhere !== null) return readElsewhere;
    try {
      const response = await options.load();
      const content = serialize(response);
      await this.#store(key, lookup.generation, readId, content, options.ttlSeconds(response));
      return content;
    } catch (error) {
      await this.#ignoreUnavailable(this.#redis.eval(UNLOCK_SCRIPT, 1, lock, readId));
      throw error;
    }
  }

  /** Acquires the lock and returns null, or returns what another reader has stored since `known`. */
  async #lockOrWait(
    key: CacheKey,
    lock: string,
    readId: string,
    known: Entry | null,
  ): Promise<CachedBody | null> {
    const deadline = Date.now() + LOCK_TTL_MS;
    const readElsewhere = async () => {
      const { entry } = await this.#lookUp(key);
      return entry === null || entry.readId === known?.readId ? null : entry.content;
    };
    try {
      while ((await this.#redis.set(lock, readId, 'PX', LOCK_TTL_MS, 'NX')) !== 'OK') {
        await delay(LOCK_POLL_MS);
        const content = await readElsewhere();
        if (content !== null) return content;
        if (Date.now() > deadline) return null;
      }
      // The previous holder may have stored an entry between the lookup and the lock.
      const content = await readElsewhere();
      if (content !== null) await this.#redis.eval(UNLOCK_SCRIPT, 1, lock, readId);
      return content;
    } catch (error) {
      this.#events.onUnavailable?.(error);
      return null;
    }
  }

  #store(
    key: CacheKey,
    generation: string,
    readId: string,
    content: CachedBody,
    ttlSeconds: number,
  ): Promise<void> {
    return this.#ignoreUnavailable(
      this.#redis.eval(
        STORE_SCRIPT,
        3,
        entryKey(key),
        generationKey(key),
        lockKey(key, generation),
        generation,
        encodeEntry(generation, readId, content),
        ttlSeconds,
        readId,
        GENERATION_TTL_SECONDS,
      ),
    );
  }

  async #ignoreUnavailable(command: Promise<unknown>): Promise<void> {
    try {
      await command;
    } catch (error) {
      this.#events.onUnavailable?.(error);
    }
  }
}
