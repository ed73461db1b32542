import { setTimeout as delay } from 'node:timers/promises';
import { GatewayError, SingleFlight } from '@gateway/core';
import { type Lock, type Redis, releaseLock, takeLock } from '@gateway/store';
import type { ReadOptions } from './bodies.ts';
import { type Condition, type Entry, generationOf, headOf, newEntry, newLoadId, serialize } from './entry.ts';
import { type CacheKey, GENERATION_TTL_SECONDS, lockKey } from './keys.ts';
import type { OutageLog } from './outages.ts';
import type { JudgedRows, RowInTransition, RowsInTransition } from './rows-in-transition.ts';
import { storeEntryScript } from './scripts.ts';
import type { StoredEntries } from './stored-entries.ts';

export interface LoadOptions extends ReadOptions {
  /** How long the response is kept; 0 means not at all. */
  ttlSeconds: (response: unknown, isInTransition: boolean) => number;
  /** Loads the list from the cloud. */
  load: () => Promise<unknown>;
  /** Called with the response of `load` once it is stored, so that a later read gets it or a newer one. */
  onLoaded?: (response: unknown) => void;
  /**
   * False if the response lacks what an unavailable service would have added. Stored with the entry; true by
   * default.
   */
  isComplete?: (response: unknown) => boolean;
  /** Whether the response lacks rows that could not be read. Stored with the entry; false by default. */
  lacksRows?: (response: unknown) => boolean;
  /**
   * The rows in transition. Null, the default, for a list whose rows are never in transition: nothing is then
   * stored about them.
   */
  rowsInTransition?: (response: unknown) => readonly RowInTransition[] | null;
  /** Ignores the cached entry, loads the list again and stores it. Concurrent refreshes share one load. */
  refresh?: boolean;
}

/**
 * Loads that concurrent readers share. A refusal of one reader, for example because their token was just
 * revoked, does not apply to the others: they load again, with the rights of one of them. After a 429, that
 * would add load on the service.
 */
export function sharedLoads(): SingleFlight<Entry> {
  return new SingleFlight(
    (error) => !(error instanceof GatewayError && error.status < 500 && error.status !== 429),
  );
}

/** Longer than any load takes. A process that died blocks the others for no longer than this. */
const LOCK_TTL_MS = 30_000;
const LOCK_POLL_MS = 20;

interface EntryLoadsParts {
  redis: Redis;
  entries: StoredEntries;
  rows: RowsInTransition;
  outages: OutageLog;
}

/** What a load starts from. */
interface LoadStart {
  generation: string;
  known: Entry | undefined;
}

/**
 * Loads lists from the cloud and stores them: once for all concurrent readers, in this process and in all
 * others.
 */
export class EntryLoads {
  readonly #parts: EntryLoadsParts;
  readonly #loads = sharedLoads();

  constructor(parts: EntryLoadsParts) {
    this.#parts = parts;
  }

  /**
   * @param generation an entry is stored only if it is still the current one
   * @param known the entry that is to be replaced
   * @throws what `load` throws
   */
  load(key: CacheKey, { generation, known }: LoadStart, options: LoadOptions): Promise<Entry> {
    const loadKey = `${key.entry}@${generation}${options.refresh ? '!' : ''}`;
    return this.#loads.run(loadKey, () => this.#loadOnce(key, { generation, known }, options));
  }

  async #loadOnce(key: CacheKey, { generation, known }: LoadStart, options: LoadOptions): Promise<Entry> {
    const lock = { key: lockKey(key, generation), holder: newLoadId() };
    const loadedElsewhere = await this.#lockOrWait(key, lock, known);
    if (loadedElsewhere !== null) return loadedElsewhere;
    try {
      const response = await options.load();
      const judged = await this.#parts.rows.judge(key, options.rowsInTransition?.(response) ?? null);
      const { isInTransition } = judged;
      const content = await serialize(response, conditionOf(response, options, isInTransition));
      const entry = newEntry(generation + lock.holder, content);
      const ttlSeconds = options.ttlSeconds(response, isInTransition);
      await this.#store(key, lock, entry, { ttlSeconds, judged });
      options.onLoaded?.(response);
      return entry;
    } catch (error) {
      await this.#unlock(lock);
      throw error;
    }
  }

  /** Acquires the lock and returns null, or returns what another process has stored since `known`. */
  async #lockOrWait(key: CacheKey, lock: Lock, known: Entry | undefined): Promise<Entry | null> {
    const { redis, entries, outages } = this.#parts;
    const deadline = Date.now() + LOCK_TTL_MS;
    const findNew = async () => {
      const found = await entries.find(key);
      return found.state === 'absent' || found.entry.version === known?.version ? null : found.entry;
    };
    try {
      while (!(await takeLock(redis, lock, LOCK_TTL_MS))) {
        await delay(LOCK_POLL_MS);
        const entry = await findNew();
        if (entry !== null) return entry;
        if (Date.now() > deadline) return null;
      }
      // The previous holder may have stored an entry between the lookup and the lock.
      const entry = await findNew();
      if (entry !== null) await releaseLock(redis, lock);
      return entry;
    } catch (error) {
      outages.report(error);
      return null;
    }
  }

  async #store(
    key: CacheKey,
    lock: Lock,
    entry: Entry,
    { ttlSeconds, judged }: { ttlSeconds: number; judged: JudgedRows },
  ): Promise<void> {
    const { entries, redis, outages } = this.#parts;
    try {
      const isStored = await storeEntryScript.run(
        redis,
        {
          entry: key.entry,
          version: key.version,
          generation: key.generation,
          lock: lock.key,
          seen: key.seen,
        },
        {
          currentGeneration: generationOf(entry),
          loadId: lock.holder,
          head: headOf(entry),
          body: entry.plain ?? Buffer.alloc(0),
          seconds: ttlSeconds,
          moreSeconds: GENERATION_TTL_SECONDS,
          seenRows: judged.seen,
          seenSeconds: judged.seenSeconds,
        },
      );
      if (isStored === 1) entries.hold(key, entry);
    } catch (error) {
      outages.report(error);
    }
  }

  async #unlock(lock: Lock): Promise<void> {
    try {
      await releaseLock(this.#parts.redis, lock);
    } catch (error) {
      this.#parts.outages.report(error);
    }
  }
}

/** What the options say about a response. */
export function conditionOf(
  response: unknown,
  { isComplete, lacksRows }: LoadOptions,
  isInTransition: boolean,
): Partial<Condition> {
  return { isComplete: isComplete?.(response), lacksRows: lacksRows?.(response), isInTransition };
}
