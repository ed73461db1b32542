import { type AcceptedEncoding, compress, type Encoding, encodingFor } from './compress.ts';
import { type CachedBody, serialize } from './entry.ts';
import { type CachedListKey, type CacheKey, listKey } from './keys.ts';
import type { LoadOptions } from './load-options.ts';
import type { TransitionLimit } from './rows-in-transition.ts';
import { SharedLoads } from './shared-loads.ts';

/**
 * The loads of this process while the shared cache is unavailable. Readers join a running load, or get its
 * result until `maxAgeMs` after the load began. This bounds the calls to the cloud, and the age of a list:
 * the writes of other processes drop nothing here.
 */
export class UnsharedLoads {
  readonly #maxAgeMs: number;
  readonly #limit: TransitionLimit;
  readonly #loads = new SharedLoads<CachedBody>();
  readonly #kept = new Map<string, CachedBody>();
  readonly #compressed = new WeakMap<CachedBody, Map<Encoding, Promise<CachedBody>>>();
  #drops = 0;

  constructor(maxAgeMs: number, limit: TransitionLimit) {
    this.#maxAgeMs = maxAgeMs;
    this.#limit = limit;
  }

  /** Returns the result of an earlier load, if it is still stored. */
  get(key: CacheKey): CachedBody | undefined {
    return this.#kept.get(key.entry);
  }

  load(key: CacheKey, options: LoadOptions): Promise<CachedBody> {
    const stored = key.entry;
    return this.#loads.share(options.refresh ? `${stored}!` : stored, () => this.#load(stored, options));
  }

  /** Later readers neither get nor join earlier loads. */
  drop(list: CachedListKey): void {
    const prefix = listKey(list);
    this.#drops += 1;
    this.#loads.detach(prefix);
    for (const stored of this.#kept.keys()) if (stored.startsWith(prefix)) this.#kept.delete(stored);
  }

  /** Compresses a body if it is worth it, once for all its readers. */
  async encode(content: CachedBody, accepted: AcceptedEncoding): Promise<CachedBody> {
    const encoding = encodingFor(content.body.length, accepted);
    if (encoding === null) return content;
    const encodings = this.#compressed.get(content) ?? new Map<Encoding, Promise<CachedBody>>();
    this.#compressed.set(content, encodings);
    const encoded =
      encodings.get(encoding) ??
      compress(content.body, encoding).then((body) => ({ ...content, encoding, body }));
    encodings.set(encoding, encoded);
    return encoded;
  }

  async #load(stored: string, options: LoadOptions): Promise<CachedBody> {
    const [drops, startedAt] = [this.#drops, performance.now()];
    const response = await options.load();
    const { isInTransition } = this.#limit.judge(options.rowsInTransition?.(response) ?? [], null);
    const content = await serialize(response, {
      isComplete: options.isComplete?.(response),
      lacksRows: options.lacksRows?.(response),
      isInTransition,
    });
    const ageMs = performance.now() - startedAt;
    const ttlMs = options.ttlSeconds(response, isInTransition) * 1000;
    const leftMs = Math.min(ttlMs, this.#maxAgeMs) - ageMs;
    if (leftMs > 0 && drops === this.#drops) this.#keep(stored, content, leftMs);
    return content;
  }

  #keep(stored: string, content: CachedBody, forMs: number): void {
    this.#kept.set(stored, content);
    setTimeout(() => {
      if (this.#kept.get(stored) === content) this.#kept.delete(stored);
    }, forMs).unref();
  }
}
