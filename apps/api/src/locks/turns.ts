import { newId, sleep } from '@gateway/core';
import type { Redis } from '@gateway/redis';
import { leaveTurnScript } from './leave-turn-script.ts';
import { takeTurnScript } from './take-turn-script.ts';

export interface TurnsOptions {
  /** The store could not be reached, so the turn was not waited for. */
  onUnavailable(error: unknown): void;
  /** A process that has not renewed its place for this long counts as dead. */
  leaseMs?: number;
}

const POLL_MS = 50;

/**
 * Lets the api processes take turns, in the order in which they asked. A turn is only an order among processes of the
 * gateway: without the store, or after a pause longer than the lease, two may have it at once.
 */
export class Turns {
  readonly #redis: Redis;
  readonly #options: Required<TurnsOptions>;

  constructor(redis: Redis, options: TurnsOptions) {
    this.#redis = redis;
    this.#options = { leaseMs: 5_000, ...options };
  }

  /**
   * Waits for the turn, and returns the function that ends it, which never fails.
   * @throws the signal's reason if the turn does not come in time
   */
  async wait(key: string, signal: AbortSignal): Promise<() => Promise<void>> {
    const { leaseMs, onUnavailable } = this.#options;
    const place = newId();
    const keys = { places: `{turns:${key}}:places`, leases: `{turns:${key}}:leases` };
    const take = () => takeTurnScript.run(this.#redis, keys, { place, leaseMs });
    const leave = async () => {
      // A place that is left behind expires.
      await leaveTurnScript.run(this.#redis, keys, { place }).catch(onUnavailable);
    };
    try {
      while ((await take()) !== place) await sleep(POLL_MS, signal);
    } catch (error) {
      await leave();
      if (signal.aborted) throw signal.reason;
      onUnavailable(error);
      return async () => {};
    }
    // The next renewal makes up for a failed one.
    const renewal = setInterval(() => void take().catch(() => {}), leaseMs / 3);
    return async () => {
      clearInterval(renewal);
      await leave();
    };
  }
}
