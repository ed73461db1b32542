import { newId } from '@gateway/core';
import type { Redis } from '@gateway/redis';

const lockKey = (clusterId: string) => `{lite-health}:checking:${clusterId}`;

/** KEYS: 1 lock. ARGV: 1 the value of its owner. */
const UNLOCK_SCRIPT = `
  if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end
  return 0`;

/** Limits the checks of a cluster to one at a time, whatever the number of workers. */
export class HealthLock {
  readonly #redis: Redis;

  constructor(redis: Redis) {
    this.#redis = redis;
  }

  /**
   * Returns a function that releases the lock; null while another check holds it. The
   * lock expires after `ms`.
   */
  async take(clusterId: string, ms: number): Promise<(() => Promise<void>) | null> {
    const key = lockKey(clusterId);
    const value = newId();
    if ((await this.#redis.set(key, value, 'PX', ms, 'NX')) === null) return null;
    return async () => {
      await this.#redis.eval(UNLOCK_SCRIPT, 1, key, value);
    };
  }

  async isTaken(clusterId: string): Promise<boolean> {
    return (await this.#redis.exists(lockKey(clusterId))) === 1;
  }
}
