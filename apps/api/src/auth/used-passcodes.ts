import type { Sealer } from '@gateway/core';
import type { Redis } from '@gateway/store';

/** The identity service can be configured to accept the passcodes of up to ten earlier half minutes. */
const TTL_SECONDS = 360;

/**
 * The passcodes of recent log-ins, as keyed hashes. The identity service accepts a passcode as often as it is
 * sent; the gateway accepts it once (RFC 6238, section 5.2).
 */
export class UsedPasscodes {
  readonly #redis: Redis;
  readonly #sealer: Sealer;

  constructor(redis: Redis, sealer: Sealer) {
    this.#redis = redis;
    this.#sealer = sealer;
  }

  /** Returns false for a passcode that has been used. Always true while the store is unavailable. */
  async claim(userId: string, passcode: string): Promise<boolean> {
    return this.#redis.set(this.#keyOf(userId, passcode), '1', 'EX', TTL_SECONDS, 'NX').then(
      (reply) => reply === 'OK',
      () => true,
    );
  }

  /** Allows a passcode again that the identity service has not accepted. */
  async release(userId: string, passcode: string): Promise<void> {
    await this.#redis.del(this.#keyOf(userId, passcode)).catch(() => {});
  }

  #keyOf(userId: string, passcode: string): string {
    const [fingerprint] = this.#sealer.fingerprints('used-passcode', `${userId} ${passcode}`);
    return `used-passcode:${fingerprint}`;
  }
}
