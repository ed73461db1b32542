import { LRUCache } from 'lru-cache';
import type { Entry } from './entry.ts';

/** Roughly what an entry takes besides its body. */
const OVERHEAD_BYTES = 512;

/**
 * The entries that one process holds in memory, limited by their bytes. The least recently used entries are
 * removed first. An entry may be outdated: only its version in the shared cache shows that.
 */
export class ProcessLayer {
  /** Null if nothing is held. */
  readonly #entries: LRUCache<string, Entry> | null;

  constructor(maxBytes: number) {
    this.#entries = maxBytes === 0 ? null : new LRUCache({ maxSize: maxBytes, sizeCalculation: sizeOf });
  }

  /** The bytes of all entries. */
  get bytes(): number {
    return this.#entries?.calculatedSize ?? 0;
  }

  get(key: string): Entry | undefined {
    return this.#entries?.get(key);
  }

  put(key: string, entry: Entry): void {
    this.#entries?.set(key, detached(entry));
  }

  delete(key: string): void {
    this.#entries?.delete(key);
  }
}

function sizeOf({ content, table }: Entry, key: string): number {
  return content.body.length + (table?.bytes ?? 0) + key.length + OVERHEAD_BYTES;
}

/** A body from Redis is a slice of a larger buffer, all of which would stay in memory. */
function detached(entry: Entry): Entry {
  const { content } = entry;
  if (content.body.length === content.body.buffer.byteLength) return entry;
  const body = Buffer.allocUnsafeSlow(content.body.length);
  content.body.copy(body);
  return { ...entry, content: { ...content, body } };
}
