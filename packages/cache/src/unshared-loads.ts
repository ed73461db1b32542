import { type Entry, newEntry, newLoadId, serialize } from './entry.ts';
import { conditionOf, type LoadOptions, sharedLoads } from './entry-loads.ts';
import { type CachedListKey, type CacheKey, listKey } from './keys.ts';
import type { TransitionLimit } from './rows-in-transition.ts';

/**
 * The loads of this process while the shared cache is unavailable. Readers join a running load, or get its
 * result until `maxAgeMs` after the load began. This bounds the calls to the cloud, and the age of a list:
 * the writes of other processes drop nothing here.
 */
export class UnsharedLoads {
  readonly #maxAgeMs: number;
  readonly #limit: TransitionLimit;
  readonly #loads = sharedLoads();
  readonly #kept = new Map<string, Entry>();
  #drops = 0;

  constructor(maxAgeMs: number, limit: TransitionLimit) {
    this.#maxAgeMs = maxAgeMs;
    this.#limit = limit;
  }

  /** Returns the result of an earlier load, if it is still stored. */
  get(key: CacheKey): Entry | undefined {
    return this.#kept.get(key.entry);
  }

  load(key: CacheKey, options: LoadOptions): Promise<Entry> {
    const stored = key.entry;
    return this.#loads.run(options.refresh ? `${stored}!` : stored, () => this.#load(stored, options));
  }

  /** Later readers neither get nor join earlier loads. */
  drop(list: CachedListKey): void {
    const prefix = listKey(list);
    this.#drops += 1;
    this.#loads.detach(prefix);
    for (const stored of this.#kept.keys()) if (stored.startsWith(prefix)) this.#kept.delete(stored);
  }

  async #load(stored: string, options: LoadOptions): Promise<Entry> {
    const [drops, startedAt] = [this.#drops, performance.now()];
    const response = await options.load();
    const { isInTransition } = this.#limit.judge(options.rowsInTransition?.(response) ?? [], null);
    const content = await serialize(response, conditionOf(response, options, isInTransition));
    // Nothing stored has this version.
    const entry = newEntry(newLoadId(), content);
    const ageMs = performance.now() - startedAt;
    const ttlMs = options.ttlSeconds(response, isInTransition) * 1000;
    const leftMs = Math.min(ttlMs, this.#maxAgeMs) - ageMs;
    if (leftMs > 0 && drops === this.#drops) this.#keep(stored, entry, leftMs);
    return entry;
  }

  #keep(stored: string, entry: Entry, forMs: number): void {
    this.#kept.set(stored, entry);
    setTimeout(() => {
      if (this.#kept.get(stored) === entry) this.#kept.delete(stored);
    }, forMs).unref();
  }
}
