import { newId, sleep } from '@gateway/core';
import type { Redis } from '@gateway/redis';

export interface TurnsOptions {
  /** The store could not be reached, so the turn was not waited for. */
  onUnavailable(error: unknown): void;
  /** A process that has not renewed its place for this long counts as dead. */
  leaseMs?: number;
}

const POLL_MS = 50;

/**
 * Takes a place in the queue, or renews it, and returns the first place. Places of dead processes are removed.
 *
 * KEYS: 1 places, scored by the time at which they were taken; 2 the same, scored by the time at which they expire. ARGV:
 * 1 place, 2 lease in ms.
 */
const TAKE_SCRIPT = `
  local clock = redis.call('TIME')
  local now = clock[1] * 1000 + math.floor(clock[2] / 1000)
  for _, expired in ipairs(redis.call('ZRANGEBYSCORE', KEYS[2], '-inf', now)) do
    redis.call('ZREM', KEYS[1], expired)
    redis.call('ZREM', KEYS[2], expired)
  end
  redis.call('ZADD', KEYS[1], 'NX', now, ARGV[1])
  redis.call('ZADD', KEYS[2], now + ARGV[2], ARGV[1])
  redis.call('PEXPIRE', KEYS[1], ARGV[2])
  redis.call('PEXPIRE', KEYS[2], ARGV[2])
  return redis.call('ZRANGE', KEYS[1], 0, 0)[1]`;

/** Gives up a place. KEYS as above. ARGV: 1 place. */
const LEAVE_SCRIPT = `
  redis.call('ZREM', KEYS[1], ARGV[1])
  redis.call('ZREM', KEYS[2], ARGV[1])`;

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
    const keys = [`{turns:${key}}:places`, `{turns:${key}}:leases`];
    const take = () => this.#redis.eval(TAKE_SCRIPT, keys.length, ...keys, place, leaseMs);
    const leave = async () => {
      // A place that is left behind expires.
      await this.#redis.eval(LEAVE_SCRIPT, keys.length, ...keys, place).catch(onUnavailable);
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
