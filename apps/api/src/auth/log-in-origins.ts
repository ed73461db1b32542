import { fingerprint } from '@gateway/core';
import type { Redis } from '@gateway/store';

const TTL_SECONDS = 30 * 24 * 3600;

/**
 * The addresses from which users have logged in recently. Failed log-ins elsewhere do not lock a user out at
 * these addresses.
 */
export class LogInOrigins {
  readonly #redis: Redis;

  constructor(redis: Redis) {
    this.#redis = redis;
  }

  /** `name` comes from `logInName`. */
  async add(name: string, address: string): Promise<void> {
    await this.#redis.set(originKey(name, address), '1', 'EX', TTL_SECONDS);
  }

  /** Also false while the store is unavailable. */
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
