import { fingerprint } from '@gateway/core';
import type { Redis } from '@gateway/redis';

const KEPT_SECONDS = 30 * 24 * 3600;

/** From which addresses users have logged in lately: strangers elsewhere can not lock them out there. */
export class LogInOrigins {
  readonly #redis: Redis;

  constructor(redis: Redis) {
    this.#redis = redis;
  }

  /** `name` is what `logInName` gives. */
  async remember(name: string, address: string): Promise<void> {
    await this.#redis.set(originKey(name, address), '1', 'EX', KEPT_SECONDS);
  }

  /** False also while the store is away. */
  async isKnown(name: string, address: string): Promise<boolean> {
    return this.#redis.exists(originKey(name, address)).then(
      (count) => count === 1,
      () => false,
    );
  }
}

function originKey(name: string, address: string): string {
  return `log-in-origin:${name}:${fingerprint(address)}`;
}
