import type { Redis } from '@gateway/store';
import { LRUCache } from 'lru-cache';
import type { BatchedReads } from './batched-reads.ts';
import { hasBody, type ReadOptions, storedEncoding } from './bodies.ts';
import type { Encoding } from './compress.ts';
import { currentVersion, decodeEntry, detached, type Entry, headOf, randomId } from './entry.ts';
import { type CacheKey, encodedKey, GENERATION_TTL_SECONDS } from './keys.ts';
import type { OutageLog } from './outages.ts';
import { storeCompressedScript } from './scripts.ts';

/** The current entry of a list. */
export interface Hit {
  state: 'hit';
  entry: Entry;
  /** Whether this process held it. */
  outcome: 'process_hit' | 'shared_hit';
}

/** The list has no entry that may be used. */
export interface Absent {
  state: 'absent';
  /** Null if the list has none, because it was evicted. */
  generation: string | null;
}

/** The bytes are outdated or missing where they were read, so that the current ones have to be read. */
interface Stale {
  state: 'stale';
}

type Found = Hit | Absent | Stale;

const STALE: Stale = { state: 'stale' };
/** Roughly what an entry takes besides its bodies. */
const OVERHEAD_BYTES = 512;

interface StoredEntriesParts {
  redis: Redis;
  reads: BatchedReads;
  outages: OutageLog;
  /** The memory in which this process holds entries; 0 for none. */
  processBytes: number;
  onUnavailable?(error: unknown): void;
}

/**
 * Entries in Redis, and in front of it in this process, where the least recently used are removed first. An
 * entry of the process may be outdated, which only its version in Redis shows.
 */
export class StoredEntries {
  readonly #parts: StoredEntriesParts;
  /** By the key of the entry; null if nothing is held. */
  readonly #held: LRUCache<string, Entry> | null;

  constructor(parts: StoredEntriesParts) {
    this.#parts = parts;
    const { processBytes } = parts;
    this.#held =
      processBytes === 0 ? null : new LRUCache({ maxSize: processBytes, sizeCalculation: bytesOf });
  }

  /** Finds the current entry, with the bytes that the reader needs or a plain body to make them from. */
  async find(key: CacheKey, options: ReadOptions = {}): Promise<Hit | Absent> {
    const held = await this.#findHeld(key);
    if (held.state === 'absent' || (held.state === 'hit' && hasBody(held.entry, options))) return held;
    const encoding = storedEncoding(options);
    const found = encoding === null ? STALE : await this.#readCompressed(key, encoding);
    if (found.state !== 'stale') return found;
    return held.state === 'hit' && held.entry.plain !== null ? held : this.#readPlain(key);
  }

  /** The generation of a list, which begins now if there is none. */
  async startGeneration(key: CacheKey): Promise<string> {
    const { redis } = this.#parts;
    const started = randomId();
    await redis.set(key.generation, started, 'EX', GENERATION_TTL_SECONDS, 'NX');
    return (await redis.get(key.generation)) ?? started;
  }

  /** Holds an entry that has got a further body, unless it is no longer held. */
  grew(key: CacheKey, entry: Entry): void {
    if (this.#held?.get(key.entry) === entry) this.hold(key, entry);
  }

  /** Holds an entry in this process. */
  hold(key: CacheKey, entry: Entry): void {
    if (this.#held === null) return;
    if (entry.plain !== null) entry.plain = detached(entry.plain);
    for (const encoding of Object.keys(entry.compressed) as Encoding[]) {
      entry.compressed[encoding] = detached(entry.compressed[encoding] as Buffer);
    }
    // Selections never cost the list its place.
    if (bytesOf(entry, key.entry) > this.#parts.processBytes) {
      entry.selected = null;
      entry.table = null;
    }
    // Its size is calculated only for what is new.
    this.#held.delete(key.entry);
    this.#held.set(key.entry, entry);
  }

  /** Stores a compressed body for other processes. If it fails, another process compresses again. */
  async storeCompressed(key: CacheKey, entry: Entry, encoding: Encoding): Promise<void> {
    const { onUnavailable, redis } = this.#parts;
    try {
      await storeCompressedScript.run(
        redis,
        { compressed: encodedKey(key, encoding), version: key.version },
        {
          currentVersion: entry.version,
          head: headOf(entry),
          body: entry.compressed[encoding] ?? Buffer.alloc(0),
        },
      );
    } catch (error) {
      onUnavailable?.(error);
    }
  }

  /** Compares what this process holds with the version in Redis. */
  async #findHeld(key: CacheKey): Promise<Found> {
    const held = this.#held?.get(key.entry);
    if (held === undefined) return STALE;
    const current = await this.#parts.reads.read(key, {
      name: key.version,
      stored: [key.version, key.generation],
      decode: ([version, generation]) => this.#trusted(version, generation),
    });
    if (current === held.version) return { state: 'hit', entry: held, outcome: 'process_hit' };
    this.#held?.delete(key.entry);
    return typeof current === 'string' ? STALE : current;
  }

  #readPlain(key: CacheKey): Promise<Hit | Absent> {
    return this.#parts.reads.read(key, {
      name: key.entry,
      stored: [key.entry, key.generation],
      decode: ([stored, generation]) => {
        const entry = decodeEntry(stored, generation);
        const isUsable = entry !== null && this.#parts.outages.isTrusted(entry.version);
        return isUsable ? this.#hit(key, entry) : absent(generation);
      },
    });
  }

  #readCompressed(key: CacheKey, encoding: Encoding): Promise<Found> {
    const name = encodedKey(key, encoding);
    return this.#parts.reads.read(key, {
      name,
      stored: [name, key.version, key.generation],
      decode: ([stored, version, generation]) => {
        const current = this.#trusted(version, generation);
        if (typeof current !== 'string') return current;
        const entry = decodeEntry(stored, version, encoding);
        return entry === null ? STALE : this.#hit(key, entry);
      },
    });
  }

  /** The version of the current entry, unless it may be outdated. */
  #trusted(version: Value, generation: Value): string | Absent {
    const current = currentVersion(version, generation);
    return current !== null && this.#parts.outages.isTrusted(current) ? current : absent(generation);
  }

  /** Holds an entry that was read, together with what the process has of it already. */
  #hit(key: CacheKey, read: Entry): Hit {
    const held = this.#held?.get(key.entry);
    const entry = held?.version === read.version ? held : read;
    entry.plain ??= read.plain;
    Object.assign(entry.compressed, { ...read.compressed, ...entry.compressed });
    this.hold(key, entry);
    return { state: 'hit', entry, outcome: 'shared_hit' };
  }
}

type Value = Buffer | null | undefined;

function absent(generation: Value): Absent {
  return { state: 'absent', generation: generation?.toString() ?? null };
}

function bytesOf({ compressed, plain, selected, table }: Entry, key: string): number {
  const bodies = [plain, ...Object.values(compressed)];
  const length = bodies.reduce((sum, body) => sum + (body?.length ?? 0), 0);
  return length + (selected?.calculatedSize ?? 0) + (table?.bytes ?? 0) + key.length + OVERHEAD_BYTES;
}
