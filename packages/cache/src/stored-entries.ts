import type { Redis } from '@gateway/redis';
import type { BatchedReads } from './batched-reads.ts';
import { decodeEntry, type Entry, generationOf, randomId } from './entry.ts';
import { type CacheKey, GENERATION_TTL_SECONDS } from './keys.ts';
import type { OutageLog } from './outage-log.ts';
import type { ProcessLayer } from './process-layer.ts';
import { generationScript } from './scripts/generation-script.ts';
import type { VersionReads } from './version-reads.ts';

/** An entry that is current, and whether this process held it. */
export interface FoundEntry {
  entry: Entry;
  outcome: 'process_hit' | 'shared_hit';
}

/** What a load starts from: its entry is stored only if the generation is still the current one. */
export interface Lookup {
  generation: string;
  found: FoundEntry | null;
}

interface StoredEntriesParts {
  redis: Redis;
  layer: ProcessLayer;
  reads: BatchedReads;
  versions: VersionReads;
  outages: OutageLog;
}

/** Finds entries in this process, if they are still current there, and otherwise in Redis. */
export class StoredEntries {
  readonly #parts: StoredEntriesParts;

  constructor(parts: StoredEntriesParts) {
    this.#parts = parts;
  }

  /** Returns null if there is no current entry. */
  async find(key: CacheKey): Promise<FoundEntry | null> {
    const { layer, versions } = this.#parts;
    const inProcess = layer.get(key.entry);
    if (inProcess !== undefined) {
      const held = this.#ifCurrent(key, inProcess, await versions.read(key));
      // Null means that Redis has no valid entry either.
      if (held !== undefined) return held;
    }
    const entry = await this.#readEntry(key);
    return entry && { entry, outcome: 'shared_hit' };
  }

  /** Finds an entry and the generation of its list. Starts a generation if there is none. */
  async lookUp(key: CacheKey): Promise<Lookup> {
    const { layer, redis, versions } = this.#parts;
    const inProcess = layer.get(key.entry);
    if (inProcess !== undefined) {
      const held = this.#ifCurrent(key, inProcess, await versions.read(key));
      if (held) return { generation: generationOf(held.entry), found: held };
    }
    const [stored, current] = await redis.mgetBuffer(key.entry, key.generation);
    if (current) {
      const entry = this.#holdTrusted(key, decodeEntry(stored, current));
      return { generation: current.toString(), found: entry && { entry, outcome: 'shared_hit' } };
    }
    // The generation was evicted: the entry may be older than a write, so it is not used.
    const started = await generationScript.run(
      redis,
      { generation: key.generation },
      { newGeneration: randomId(), seconds: GENERATION_TTL_SECONDS },
    );
    return { generation: String(started), found: null };
  }

  /**
   * Returns an entry that this process holds if it is the one in Redis, null if Redis has none, and undefined
   * if only Redis has the current one.
   */
  #ifCurrent(key: CacheKey, entry: Entry, version: string | null): FoundEntry | null | undefined {
    if (version === entry.version) return { entry, outcome: 'process_hit' };
    this.#parts.layer.delete(key.entry);
    return version === null ? null : undefined;
  }

  #readEntry(key: CacheKey): Promise<Entry | null> {
    return this.#parts.reads.read(key, {
      name: key.entry,
      stored: [key.entry, key.generation],
      decode: ([entry, generation]) => this.#holdTrusted(key, decodeEntry(entry, generation)),
    });
  }

  /** Holds an entry in this process, unless it may be outdated. */
  #holdTrusted(key: CacheKey, entry: Entry | null): Entry | null {
    const { layer, outages } = this.#parts;
    if (entry === null || !outages.isTrusted(entry.version)) return null;
    layer.put(key.entry, entry);
    return entry;
  }
}
