import { newId, sleep } from '@gateway/core';
import type { Redis } from '@gateway/store';
import { enterLockQueueScript, leaveLockQueueScript } from './scripts.ts';

export interface LockQueueOptions {
  /** The store is unavailable, so the task runs without the lock. */
  onUnavailable(error: unknown): void;
  /** A process that has not renewed its lease for this long counts as dead. */
  leaseMs?: number;
}

const POLL_MS = 50;

/**
 * Grants locks to the api processes in the order of their requests. A lock only orders the processes of the
 * gateway: without the store, or after a pause longer than the lease, two may hold it at once.
 */
export class LockQueue {
  readonly #redis: Redis;
  readonly #options: Required<LockQueueOptions>;

  constructor(redis: Redis, options: LockQueueOptions) {
    this.#redis = redis;
    this.#options = { leaseMs: 5_000, ...options };
  }

  /**
   * Waits for the lock, and returns the function that releases it, which never fails.
   * @throws the signal's reason if the lock is not granted in time
   */
  async acquire(key: string, signal: AbortSignal): Promise<() => Promise<void>> {
    const { leaseMs, onUnavailable } = this.#options;
    const holder = newId();
    const keys = { queue: `{lock:${key}}:queue`, leases: `{lock:${key}}:leases` };
    const enterOrRenew = () => enterLockQueueScript.run(this.#redis, keys, { holder, leaseMs });
    const leave = async () => {
      // If this fails, the lease expires.
      await leaveLockQueueScript.run(this.#redis, keys, { holder }).catch(onUnavailable);
    };
    try {
      while ((await enterOrRenew()) !== holder) await sleep(POLL_MS, signal);
    } catch (error) {
      await leave();
      if (signal.aborted) throw signal.reason;
      onUnavailable(error);
      return async () => {};
    }
    // The lease outlasts a failed renewal.
    const renewal = setInterval(() => void enterOrRenew().catch(() => {}), leaseMs / 3);
    return async () => {
      clearInterval(renewal);
      await leave();
    };
  }
}
