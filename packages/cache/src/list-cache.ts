import { setTimeout as delay } from 'node:timers/promises';
import type { Redis } from '@gateway/redis';
import { type CachedBody, type Entry, fromEntry, newStamp, pack, toEntry } from './entry.ts';
import { type CachedListKey, type CacheKey, entryKey, generationKey, lockKey } from './keys.ts';

export interface ListCacheEvents {
  onRead?(list: CacheKey['list'], outcome: 'hit' | 'miss'): void;
  /** The cache could not be used; the answer came from the cloud. */
  onAway?(error: unknown): void;
}

export interface ReadThroughOptions {
  /** How long an answer is kept; 0 for not at all. */
  ttlSeconds: (answer: unknown) => number;
  /** Reads from the cloud what is not in the cache. */
  load: () => Promise<unknown>;
  /** Skip what is cached, read anew and store the result. Whoever asks for that at the same time shares one read. */
  refresh?: boolean;
}

/** What a reader has found in the cache. */
interface Found {
  generation: string;
  entry: Entry | null;
}

const GENERATION_TTL_SECONDS = 3600;
/** Longer than any read from the cloud takes; a reader that died holds the others up no longer than this. */
const LOCK_TTL_MS = 30_000;
const LOCK_POLL_MS = 20;

/** Gives the generation, which begins here where there is none. KEYS: 1 generation. ARGV: 1 a new one, 2 seconds. */
const GENERATION_SCRIPT = `
  redis.call('SET', KEYS[1], ARGV[1], 'EX', ARGV[2], 'NX')
  return redis.call('GET', KEYS[1])`;

/**
 * Stores an answer unless the list was dropped since the read began, and lets the lock go. The generation outlives
 * the entries that belong to it.
 *
 * KEYS: 1 entry, 2 generation, 3 lock. ARGV: 1 generation, 2 entry, 3 seconds (0: not stored), 4 holder of the lock,
 * 5 seconds that a generation lives longer.
 */
const STORE_SCRIPT = `
  if redis.call('GET', KEYS[3]) == ARGV[4] then redis.call('DEL', KEYS[3]) end
  if redis.call('GET', KEYS[2]) ~= ARGV[1] or tonumber(ARGV[3]) <= 0 then return 0 end
  redis.call('SET', KEYS[1], ARGV[2], 'EX', ARGV[3])
  redis.call('EXPIRE', KEYS[2], ARGV[3] + ARGV[5])
  return 1`;

/** Lets a lock go, if it is still one's own. */
const UNLOCK_SCRIPT = `if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end return 0`;

/**
 * Cache-aside for lists, as serialised bodies. Concurrent misses make one read from the cloud, in this
 * process and across processes. A cache that is away costs time and never an error.
 */
export class ListCache {
  readonly #redis: Redis;
  readonly #events: ListCacheEvents;
  readonly #flights = new Map<string, Promise<CachedBody>>();

  constructor(redis: Redis, events: ListCacheEvents = {}) {
    this.#redis = redis;
    this.#events = events;
  }

  /** What is cached, or null; also null when the cache is away. */
  async read(key: CacheKey): Promise<CachedBody | null> {
    try {
      const [stored, generation] = await this.#redis.mgetBuffer(entryKey(key), generationKey(key));
      const entry = fromEntry(stored, generation);
      if (entry === null) return null;
      this.#events.onRead?.(key.list, 'hit');
      return entry.answer;
    } catch (error) {
      this.#events.onAway?.(error);
      return null;
    }
  }

  /** What is cached, else what `load` brings, which is then cached. Errors are those of `load`. */
  async readThrough(key: CacheKey, options: ReadThroughOptions): Promise<CachedBody> {
    const { load, refresh = false } = options;
    let found: Found;
    try {
      found = await this.#find(key);
    } catch (error) {
      // Asked once only: a cache that hangs takes its time to be found away.
      this.#events.onAway?.(error);
      this.#events.onRead?.(key.list, 'miss');
      return pack(await load());
    }
    const { generation, entry } = found;
    if (entry !== null && !refresh) {
      this.#events.onRead?.(key.list, 'hit');
      return entry.answer;
    }

    this.#events.onRead?.(key.list, 'miss');
    const flightKey = `${entryKey(key)}@${generation}${refresh ? '!' : ''}`;
    const inFlight = this.#flights.get(flightKey);
    if (inFlight !== undefined) return inFlight;
    const flight = this.#loadOnce(key, found, options).finally(() => this.#flights.delete(flightKey));
    this.#flights.set(flightKey, flight);
    return flight;
  }

  /** Forgets lists, for all their readers, that a write has changed. To be awaited before the write is answered. */
  async drop(...lists: CachedListKey[]): Promise<void> {
    try {
      await Promise.all(
        lists.map((list) => this.#redis.set(generationKey(list), newStamp(), 'EX', GENERATION_TTL_SECONDS)),
      );
    } catch (error) {
      this.#events.onAway?.(error);
    }
  }

  async #find(key: CacheKey): Promise<Found> {
    const [stored, current] = await this.#redis.mgetBuffer(entryKey(key), generationKey(key));
    if (current) return { generation: current.toString(), entry: fromEntry(stored, current) };
    // One that was evicted: what is stored may be older than a write, and is not used.
    const begun = await this.#redis.eval(
      GENERATION_SCRIPT,
      1,
      generationKey(key),
      newStamp(),
      GENERATION_TTL_SECONDS,
    );
    return { generation: String(begun), entry: null };
  }

  async #loadOnce(key: CacheKey, found: Found, options: ReadThroughOptions): Promise<CachedBody> {
    const lock = lockKey(key, found.generation);
    const readId = newStamp();
    const readByOther = await this.#lockOrWait(key, lock, readId, found.entry);
    if (readByOther !== null) return readByOther;
    try {
      const answer = await options.load();
      const packed = pack(answer);
      await this.#store(key, found.generation, readId, packed, options.ttlSeconds(answer));
      return packed;
    } catch (error) {
      await this.#ignoreAway(this.#redis.eval(UNLOCK_SCRIPT, 1, lock, readId));
      throw error;
    }
  }

  /** Takes the lock and gives null, or gives what another one has read meanwhile: an entry that is not `known`. */
  async #lockOrWait(
    key: CacheKey,
    lock: string,
    readId: string,
    known: Entry | null,
  ): Promise<CachedBody | null> {
    const deadline = Date.now() + LOCK_TTL_MS;
    const readMeanwhile = async () => {
      const { entry } = await this.#find(key);
      return entry === null || entry.readId === known?.readId ? null : entry.answer;
    };
    try {
      while ((await this.#redis.set(lock, readId, 'PX', LOCK_TTL_MS, 'NX')) !== 'OK') {
        await delay(LOCK_POLL_MS);
        const answer = await readMeanwhile();
        if (answer !== null) return answer;
        if (Date.now() > deadline) return null;
      }
      // Whoever held the lock before may have stored between our read and our lock.
      const answer = await readMeanwhile();
      if (answer !== null) await this.#redis.eval(UNLOCK_SCRIPT, 1, lock, readId);
      return answer;
    } catch (error) {
      this.#events.onAway?.(error);
      return null;
    }
  }

  #store(
    key: CacheKey,
    generation: string,
    readId: string,
    packed: CachedBody,
    ttlSeconds: number,
  ): Promise<void> {
    return this.#ignoreAway(
      this.#redis.eval(
        STORE_SCRIPT,
        3,
        entryKey(key),
        generationKey(key),
        lockKey(key, generation),
        generation,
        toEntry(generation, readId, packed),
        ttlSeconds,
        readId,
        GENERATION_TTL_SECONDS,
      ),
    );
  }

  async #ignoreAway(command: Promise<unknown>): Promise<void> {
    try {
      await command;
    } catch (error) {
      this.#events.onAway?.(error);
    }
  }
}
