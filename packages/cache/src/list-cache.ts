import { createHash, randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Redis } from '@gateway/redis';
import { type CacheKey, entryKey, generationKey, lockKey } from './keys.ts';

/** A serialised answer, ready to be sent. */
export interface CachedBody {
  body: Buffer;
  /** A strong entity tag, quotes included. */
  etag: string;
}

export interface ListCacheEvents {
  onRead?(list: CacheKey['list'], outcome: 'hit' | 'miss'): void;
  /** The cache could not be used; the answer came from the cloud. */
  onAway?(error: unknown): void;
}

export interface ReadThroughOptions {
  ttlSeconds: number;
  /** Reads from the cloud what is not in the cache. */
  load: () => Promise<unknown>;
  /** Skip what is cached, read anew and store the result. */
  refresh?: boolean;
}

const GENERATION_TTL_SECONDS = 3600;
/** Longer than any read from the cloud takes; a reader that died holds the others up no longer than this. */
const LOCK_TTL_MS = 30_000;
const LOCK_POLL_MS = 20;
const ETAG_LENGTH = 24;

/** Stores an answer unless the list was dropped since the read began, and lets the lock go. */
const STORE_SCRIPT = `
  if redis.call('GET', KEYS[3]) == ARGV[4] then redis.call('DEL', KEYS[3]) end
  if (redis.call('GET', KEYS[2]) or '') ~= ARGV[1] then return 0 end
  redis.call('SET', KEYS[1], ARGV[2], 'EX', ARGV[3])
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
      const entry = await this.#redis.getBuffer(entryKey(key));
      if (entry === null) return null;
      this.#events.onRead?.(key.list, 'hit');
      return unpack(entry);
    } catch (error) {
      this.#events.onAway?.(error);
      return null;
    }
  }

  /** What is cached, else what `load` brings, which is then cached. Errors are those of `load`. */
  async readThrough(key: CacheKey, options: ReadThroughOptions): Promise<CachedBody> {
    let generation: string;
    try {
      const [entry, current] = await this.#redis.mgetBuffer(entryKey(key), generationKey(key));
      if (entry && options.refresh !== true) {
        this.#events.onRead?.(key.list, 'hit');
        return unpack(entry);
      }
      generation = current?.toString() ?? '';
    } catch (error) {
      // Asked once only: a cache that hangs takes its time to be found away.
      this.#events.onAway?.(error);
      this.#events.onRead?.(key.list, 'miss');
      return pack(await options.load());
    }

    this.#events.onRead?.(key.list, 'miss');
    const flightKey = `${entryKey(key)}@${generation}${options.refresh === true ? '!' : ''}`;
    const inFlight = this.#flights.get(flightKey);
    if (inFlight !== undefined) return inFlight;
    const flight = this.#loadOnce(key, generation, options).finally(() => this.#flights.delete(flightKey));
    this.#flights.set(flightKey, flight);
    return flight;
  }

  /** Forgets lists that a write has changed. To be awaited before the write is answered. */
  async drop(...keys: CacheKey[]): Promise<void> {
    try {
      await Promise.all(
        keys.map((key) =>
          this.#redis
            .multi()
            .set(generationKey(key), randomUUID(), 'EX', GENERATION_TTL_SECONDS)
            .del(entryKey(key))
            .exec(),
        ),
      );
    } catch (error) {
      this.#events.onAway?.(error);
    }
  }

  async #loadOnce(key: CacheKey, generation: string, options: ReadThroughOptions): Promise<CachedBody> {
    const lock = lockKey(key, generation);
    const holder = randomUUID();
    const readByOther = options.refresh === true ? null : await this.#lockOrWait(key, lock, holder);
    if (readByOther !== null) return readByOther;
    try {
      const packed = pack(await options.load());
      await this.#store(key, generation, lock, holder, packed, options.ttlSeconds);
      return packed;
    } catch (error) {
      await this.#ignoreAway(this.#redis.eval(UNLOCK_SCRIPT, 1, lock, holder));
      throw error;
    }
  }

  /** Takes the lock and gives null, or gives what the process that holds it has read meanwhile. */
  async #lockOrWait(key: CacheKey, lock: string, holder: string): Promise<CachedBody | null> {
    const deadline = Date.now() + LOCK_TTL_MS;
    try {
      while ((await this.#redis.set(lock, holder, 'PX', LOCK_TTL_MS, 'NX')) !== 'OK') {
        await delay(LOCK_POLL_MS);
        const entry = await this.#redis.getBuffer(entryKey(key));
        if (entry !== null) return unpack(entry);
        if (Date.now() > deadline) return null;
      }
      // Whoever held the lock before may have stored between our read and our lock.
      const entry = await this.#redis.getBuffer(entryKey(key));
      if (entry === null) return null;
      await this.#redis.eval(UNLOCK_SCRIPT, 1, lock, holder);
      return unpack(entry);
    } catch (error) {
      this.#events.onAway?.(error);
      return null;
    }
  }

  #store(
    key: CacheKey,
    generation: string,
    lock: string,
    holder: string,
    packed: CachedBody,
    ttlSeconds: number,
  ): Promise<void> {
    const value = Buffer.concat([Buffer.from(packed.etag), packed.body]);
    return this.#ignoreAway(
      this.#redis.eval(
        STORE_SCRIPT,
        3,
        entryKey(key),
        generationKey(key),
        lock,
        generation,
        value,
        ttlSeconds,
        holder,
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

/** Serialises an answer as it would be cached. */
export function pack(answer: unknown): CachedBody {
  const body = Buffer.from(JSON.stringify(answer));
  const digest = createHash('sha256')
    .update(body)
    .digest('base64url')
    .slice(0, ETAG_LENGTH - 2);
  return { body, etag: `"${digest}"` };
}

function unpack(entry: Buffer): CachedBody {
  return { etag: entry.toString('latin1', 0, ETAG_LENGTH), body: entry.subarray(ETAG_LENGTH) };
}
