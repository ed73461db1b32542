import type { Redis } from '@gateway/store';
import { type CacheKey, listKey } from './keys.ts';

type Values = readonly (Buffer | null | undefined)[];

interface Read {
  stored: readonly string[];
  decode(values: Values): unknown;
  result: PromiseWithResolvers<unknown>;
}

/** The reads of one command, by the name under which they are shared. */
type Batch = Map<string, Read>;

/**
 * Reads for all requests that arrive in the same iteration of the event loop, with one command at its end. No
 * request joins a command that was sent. So each request gets what is stored after its arrival, and no list
 * that a write had dropped before.
 */
export class BatchedReads {
  readonly #redis: Redis;
  /**
   * The batches that have not been sent. In a Cluster, a command reads one list, because each list has its
   * own slot.
   */
  readonly #waiting = new Map<string, Batch>();

  constructor(redis: Redis) {
    this.#redis = redis;
  }

  /**
   * Reads these keys of a list.
   * @param name reads with the same name share one result
   * @param decode makes the result from the values of the keys
   */
  read<T>(
    key: CacheKey,
    { name, stored, decode }: { name: string; stored: readonly string[]; decode(values: Values): T },
  ): Promise<T> {
    const group = this.#redis.isCluster ? listKey(key) : '';
    const batch = this.#waiting.get(group) ?? this.#startBatch(group);
    const read = batch.get(name) ?? { stored, decode, result: Promise.withResolvers<unknown>() };
    batch.set(name, read);
    return read.result.promise as Promise<T>;
  }

  #startBatch(group: string): Batch {
    const batch: Batch = new Map();
    this.#waiting.set(group, batch);
    setImmediate(() => this.#send(group, batch));
    return batch;
  }

  async #send(group: string, batch: Batch): Promise<void> {
    this.#waiting.delete(group);
    const reads = [...batch.values()];
    try {
      const values = await this.#redis.mgetBuffer(reads.flatMap(({ stored }) => stored));
      let index = 0;
      for (const { stored, decode, result } of reads) {
        result.resolve(decode(values.slice(index, index + stored.length)));
        index += stored.length;
      }
    } catch (error) {
      for (const { result } of reads) result.reject(error);
    }
  }
}
