import type { Redis } from '@gateway/redis';
import { currentVersion } from './entry.ts';
import { type CacheKey, generationKey, listKey, versionKey } from './keys.ts';
import type { OutageLog } from './outage-log.ts';

interface Read {
  key: CacheKey;
  version: PromiseWithResolvers<string | null>;
}

/** The reads of one command. */
type Round = Map<string, Read>;

/**
 * Reads the versions of stored entries in batches: one command for all requests that arrive while the
 * previous command is in progress. No request joins a batch that was sent. So each version was current after
 * its request, and no request gets an entry that a write had dropped before.
 */
export class VersionReads {
  readonly #redis: Redis;
  readonly #outages: OutageLog;
  /**
   * The batches that have not been sent. In a Cluster, a command reads one list, because each list has its
   * own slot.
   */
  readonly #waiting = new Map<string, Round>();
  readonly #sent = new Set<string>();

  constructor(redis: Redis, outages: OutageLog) {
    this.#redis = redis;
    this.#outages = outages;
  }

  /** Returns the version of the entry in the shared cache; null if there is no valid entry. */
  read(key: CacheKey): Promise<string | null> {
    const group = this.#redis.isCluster ? listKey(key) : '';
    const round = this.#waiting.get(group) ?? this.#startRound(group);
    const stored = versionKey(key);
    const read = round.get(stored) ?? { key, version: Promise.withResolvers() };
    round.set(stored, read);
    return read.version.promise;
  }

  /** The first batch collects the requests of this iteration of the event loop. */
  #startRound(group: string): Round {
    const round: Round = new Map();
    this.#waiting.set(group, round);
    if (!this.#sent.has(group)) setImmediate(() => this.#send(group));
    return round;
  }

  async #send(group: string): Promise<void> {
    const round = this.#waiting.get(group);
    if (round === undefined) return;
    this.#waiting.delete(group);
    this.#sent.add(group);
    try {
      const keys = [...round].flatMap(([stored, { key }]) => [stored, generationKey(key)]);
      const values = await this.#redis.mget(keys);
      let index = 0;
      for (const { version } of round.values()) {
        const current = currentVersion(values[index], values[index + 1]);
        version.resolve(current !== null && this.#outages.isTrusted(current) ? current : null);
        index += 2;
      }
    } catch (error) {
      for (const { version } of round.values()) version.reject(error);
    }
    this.#sent.delete(group);
    void this.#send(group);
  }
}
