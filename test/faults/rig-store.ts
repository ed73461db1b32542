import { readSweeps } from '@gateway/jobs';
import { Redis } from 'ioredis';
import { KEY_PREFIX } from './rig-stack.ts';

/** Reads what the gateway has stored. */
export class RigStore {
  readonly #redis: Redis;

  constructor(redisUrl: string) {
    this.#redis = new Redis(redisUrl, { keyPrefix: KEY_PREFIX, maxRetriesPerRequest: null });
    this.#redis.on('error', () => {});
  }

  /** The number of ended jobs whose leftovers and late results are still searched for. */
  async sweptJobs(): Promise<number> {
    return (await readSweeps(this.#redis)).size;
  }

  /** The names of the secrets that the record of a cluster holds. */
  async secretsOf(clusterId: string): Promise<string[]> {
    const fields = await this.#redis.hkeys(`{lite}:cluster:${clusterId}`);
    return fields.filter((name) => name.startsWith('secret:'));
  }

  close(): void {
    this.#redis.disconnect();
  }
}
