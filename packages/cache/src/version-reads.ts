import type { BatchedReads } from './batched-reads.ts';
import { currentVersion } from './entry.ts';
import type { CacheKey } from './keys.ts';
import type { OutageLog } from './outage-log.ts';

/** Reads the versions of stored entries, which are as current as the requests that ask for them. */
export class VersionReads {
  readonly #reads: BatchedReads;
  readonly #outages: OutageLog;

  constructor(reads: BatchedReads, outages: OutageLog) {
    this.#reads = reads;
    this.#outages = outages;
  }

  /** Returns the version of the entry in the shared cache; null if there is no valid entry. */
  read(key: CacheKey): Promise<string | null> {
    return this.#reads.read(key, {
      name: key.version,
      stored: [key.version, key.generation],
      decode: ([version, generation]) => {
        const current = currentVersion(version, generation);
        return current !== null && this.#outages.isTrusted(current) ? current : null;
      },
    });
  }
}
