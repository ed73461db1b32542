import type { Redis } from '@gateway/redis';
import type { BatchedReads } from './batched-reads.ts';
import { type AcceptedEncoding, compress, type Encoding, encodingFor } from './compress.ts';
import { type CachedBody, currentVersion, decodeEntry, type Entry, headOf } from './entry.ts';
import { type CacheKey, encodedKey } from './keys.ts';
import type { OutageLog } from './outage-log.ts';
import type { ProcessLayer } from './process-layer.ts';
import { storeCompressedScript } from './scripts/store-compressed-script.ts';
import type { FoundEntry } from './stored-entries.ts';
import type { VersionReads } from './version-reads.ts';

interface CompressedEntriesParts {
  redis: Redis;
  layer: ProcessLayer;
  reads: BatchedReads;
  versions: VersionReads;
  outages: OutageLog;
  /** Called when a body was compressed. */
  onCompress?(list: string, encoding: Encoding): void;
  onUnavailable?(error: unknown): void;
}

/**
 * The compressed bodies of entries. Each is created once, by the first process that needs it, and stored next
 * to the entry for the others.
 */
export class CompressedEntries {
  readonly #parts: CompressedEntriesParts;
  readonly #flights = new Map<string, Promise<CachedBody>>();

  constructor(parts: CompressedEntriesParts) {
    this.#parts = parts;
  }

  /** Returns null if the shared cache has no valid entry, and undefined if the plain entry has to be read. */
  async find(
    key: CacheKey,
    encoding: Encoding,
    allowsPlain: boolean,
  ): Promise<FoundEntry | null | undefined> {
    const { layer, versions } = this.#parts;
    const stored = encodedKey(key, encoding);
    const held = layer.get(stored);
    if (held !== undefined) {
      const version = await versions.read(key);
      if (version === held.version) return { entry: held, outcome: 'process_hit' };
      layer.delete(stored);
      layer.delete(key.entry);
      if (version === null) return null;
    }
    const plain = layer.get(key.entry)?.content.body;
    if (plain !== undefined && encodingFor(plain.length, { encoding, allowsPlain }) === null)
      return undefined;
    const entry = await this.#read(key, encoding);
    return entry && { entry, outcome: 'shared_hit' };
  }

  /** Compresses the body of an entry if it is worth it, once for all concurrent callers. */
  async encode(key: CacheKey, entry: Entry, accepted: AcceptedEncoding): Promise<CachedBody> {
    const encoding = encodingFor(entry.content.body.length, accepted);
    if (encoding === null) return entry.content;
    const stored = encodedKey(key, encoding);
    const held = this.#parts.layer.get(stored);
    if (held?.version === entry.version) return held.content;
    const flightKey = `${stored}@${entry.version}`;
    const inFlight = this.#flights.get(flightKey);
    if (inFlight !== undefined) return inFlight;
    const flight = this.#compress(key, entry, encoding).finally(() => this.#flights.delete(flightKey));
    this.#flights.set(flightKey, flight);
    return flight;
  }

  #read(key: CacheKey, encoding: Encoding): Promise<Entry | null | undefined> {
    const { layer, outages, reads } = this.#parts;
    const stored = encodedKey(key, encoding);
    return reads.read(key, {
      name: stored,
      stored: [stored, key.version, key.generation],
      decode: ([body, version, generation]) => {
        const current = currentVersion(version, generation);
        if (current === null || !outages.isTrusted(current)) return null;
        const entry = decodeEntry(body, version, encoding);
        if (entry === null) return undefined;
        layer.put(stored, entry);
        return entry;
      },
    });
  }

  async #compress(key: CacheKey, { version, content }: Entry, encoding: Encoding): Promise<CachedBody> {
    const body = await compress(content.body, encoding);
    this.#parts.onCompress?.(key.list, encoding);
    const compressed: CachedBody = { ...content, body, encoding };
    const stored = encodedKey(key, encoding);
    this.#parts.layer.put(stored, { version, content: compressed });
    void this.#store(stored, key, { version, content: compressed });
    return compressed;
  }

  /** Nothing waits for this. If it fails, another process compresses again. */
  async #store(stored: string, key: CacheKey, entry: Entry): Promise<void> {
    const { redis, onUnavailable } = this.#parts;
    try {
      await storeCompressedScript.run(
        redis,
        { compressed: stored, version: key.version },
        { currentVersion: entry.version, head: headOf(entry), body: entry.content.body },
      );
    } catch (error) {
      onUnavailable?.(error);
    }
  }
}
