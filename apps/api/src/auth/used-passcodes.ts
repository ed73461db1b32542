import { newId, type Sealer } from '@gateway/core';
import { type Lock, type Redis, releaseLock, takeLock } from '@gateway/store';

/** The identity service can be configured to accept the passcodes of up to ten earlier half minutes. */
const TTL_MS = 360_000;

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

  /**
   * Returns the mark of a passcode as used; null if it has been used. Never null while the store is
   * unavailable.
   */
  async claim(userId: string, passcode: string): Promise<Lock | null> {
    const [fingerprint] = this.#sealer.fingerprints('used-passcode', `${userId} ${passcode}`);
    const mark = { key: `used-passcode:${fingerprint}`, holder: newId() };
    const isUnused = await takeLock(this.#redis, mark, TTL_MS).catch(() => true);
    return isUnused ? mark : null;
  }

  /** Allows a passcode again that the identity service has not accepted. */
  async release(mark: Lock): Promise<void> {
    await releaseLock(this.#redis, mark).catch(() => {});
  }
}
