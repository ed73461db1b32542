import type { Entry } from './entry.ts';

/** Roughly what an entry takes besides its body. */
const OVERHEAD_BYTES = 512;

/**
 * The entries that one process holds in memory, limited by their bytes. The least recently used ones give way. An entry
 * may be outdated: only its version in the shared cache tells.
 */
export class ProcessLayer {
  readonly #maxBytes: number;
  /** A map keeps its keys in insertion order; a used entry is inserted anew. */
  readonly #entries = new Map<string, Entry>();
  #bytes = 0;

  /** With 0 bytes, nothing is held. */
  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** The bytes of all entries. */
  get bytes(): number {
    return this.#bytes;
  }

  get(key: string): Entry | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    return entry;
  }

  put(key: string, entry: Entry): void {
    this.delete(key);
    const bytes = sizeOf(entry);
    if (bytes > this.#maxBytes) return;
    this.#entries.set(key, detached(entry));
    this.#bytes += bytes;
    for (const oldest of this.#entries.keys()) {
      if (this.#bytes <= this.#maxBytes) return;
      this.delete(oldest);
    }
  }

  delete(key: string): void {
    const entry = this.#entries.get(key);
    if (entry === undefined) return;
    this.#entries.delete(key);
    this.#bytes -= sizeOf(entry);
  }
}

function sizeOf({ content }: Entry): number {
  return content.body.length + OVERHEAD_BYTES;
}

/** A body that was read from Redis is a part of everything that arrived with it, and would keep all of that in memory. */
function detached({ version, content }: Entry): Entry {
  const body = Buffer.allocUnsafeSlow(content.body.length);
  content.body.copy(body);
  return { version, content: { ...content, body } };
}
