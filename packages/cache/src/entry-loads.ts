import { setTimeout as delay } from 'node:timers/promises';
import { type Redis, unlockScript } from '@gateway/redis';
import { type Entry, generationOf, headOf, newLoadId, serialize } from './entry.ts';
import { type CacheKey, GENERATION_TTL_SECONDS, lockKey } from './keys.ts';
import type { LoadOptions } from './load-options.ts';
import type { OutageLog } from './outage-log.ts';
import type { ProcessLayer } from './process-layer.ts';
import type { JudgedRows } from './rows-in-transition.ts';
import { storeEntryScript } from './scripts/store-entry-script.ts';
import type { SeenRows } from './seen-rows.ts';
import { SharedLoads } from './shared-loads.ts';
import type { Lookup, StoredEntries } from './stored-entries.ts';

/** Longer than any load takes. A process that died blocks the others for no longer than this. */
const LOCK_TTL_MS = 30_000;
const LOCK_POLL_MS = 20;

interface EntryLoadsParts {
  redis: Redis;
  layer: ProcessLayer;
  entries: StoredEntries;
  seenRows: SeenRows;
  outages: OutageLog;
}

/**
 * Loads lists from the cloud and stores them: once for all concurrent readers, in this process and in all
 * others.
 */
export class EntryLoads {
  readonly #parts: EntryLoadsParts;
  readonly #loads = new SharedLoads<Entry>();

  constructor(parts: EntryLoadsParts) {
    this.#parts = parts;
  }

  /** Throws what `load` throws. */
  load(key: CacheKey, lookup: Lookup, options: LoadOptions): Promise<Entry> {
    const loadKey = `${key.entry}@${lookup.generation}${options.refresh ? '!' : ''}`;
    return this.#loads.share(loadKey, () => this.#loadOnce(key, lookup, options));
  }

  async #loadOnce(key: CacheKey, lookup: Lookup, options: LoadOptions): Promise<Entry> {
    const lock = lockKey(key, lookup.generation);
    const loadId = newLoadId();
    const loadedElsewhere = await this.#lockOrWait(key, lock, loadId, lookup.found?.entry);
    if (loadedElsewhere !== null) return loadedElsewhere;
    try {
      const response = await options.load();
      const judged = await this.#parts.seenRows.judge(key, options.rowsInTransition?.(response) ?? null);
      const { isInTransition } = judged;
      const content = await serialize(response, {
        isComplete: options.isComplete?.(response),
        lacksRows: options.lacksRows?.(response),
        isInTransition,
      });
      const entry = { version: lookup.generation + loadId, content };
      const ttlSeconds = options.ttlSeconds(response, isInTransition);
      await this.#store(key, lock, entry, { loadId, ttlSeconds, judged });
      options.onLoaded?.(response);
      return entry;
    } catch (error) {
      await this.#unlock(lock, loadId);
      throw error;
    }
  }

  /** Acquires the lock and returns null, or returns what another process has stored since `known`. */
  async #lockOrWait(
    key: CacheKey,
    lock: string,
    loadId: string,
    known: Entry | undefined,
  ): Promise<Entry | null> {
    const { redis, entries, outages } = this.#parts;
    const deadline = Date.now() + LOCK_TTL_MS;
    const findNew = async () => {
      const { found } = await entries.lookUp(key);
      return found === null || found.entry.version === known?.version ? null : found.entry;
    };
    try {
      while ((await redis.set(lock, loadId, 'PX', LOCK_TTL_MS, 'NX')) !== 'OK') {
        await delay(LOCK_POLL_MS);
        const entry = await findNew();
        if (entry !== null) return entry;
        if (Date.now() > deadline) return null;
      }
      // The previous holder may have stored an entry between the lookup and the lock.
      const entry = await findNew();
      if (entry !== null) await unlockScript.run(redis, { lock }, { holder: loadId });
      return entry;
    } catch (error) {
      outages.report(error);
      return null;
    }
  }

  async #store(
    key: CacheKey,
    lock: string,
    entry: Entry,
    { loadId, ttlSeconds, judged }: { loadId: string; ttlSeconds: number; judged: JudgedRows },
  ): Promise<void> {
    const { redis, layer, outages } = this.#parts;
    try {
      const isStored = await storeEntryScript.run(
        redis,
        { entry: key.entry, version: key.version, generation: key.generation, lock, seen: key.seen },
        {
          currentGeneration: generationOf(entry),
          loadId,
          head: headOf(entry),
          body: entry.content.body,
          seconds: ttlSeconds,
          moreSeconds: GENERATION_TTL_SECONDS,
          seenRows: judged.seen,
          seenSeconds: judged.seenSeconds,
        },
      );
      if (isStored === 1) layer.put(key.entry, entry);
    } catch (error) {
      outages.report(error);
    }
  }

  async #unlock(lock: string, loadId: string): Promise<void> {
    try {
      await unlockScript.run(this.#parts.redis, { lock }, { holder: loadId });
    } catch (error) {
      this.#parts.outages.report(error);
    }
  }
}
