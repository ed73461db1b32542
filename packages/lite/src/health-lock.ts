import { newId } from '@gateway/core';
import { type Redis, unlockScript } from '@gateway/store';

const lockKey = (clusterId: string) => `{lite-health}:checking:${clusterId}`;

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
    const lock = lockKey(clusterId);
    const holder = newId();
    if ((await this.#redis.set(lock, holder, 'PX', ms, 'NX')) === null) return null;
    return async () => {
      await unlockScript.run(this.#redis, { lock }, { holder });
    };
  }

  async isTaken(clusterId: string): Promise<boolean> {
    return (await this.#redis.exists(lockKey(clusterId))) === 1;
  }
}
