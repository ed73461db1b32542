import { newId } from '@gateway/core';
import type { Redis } from '@gateway/store';
import { jobKeys } from '../keys.ts';
import { endUseScript, renewUseScript } from './scripts.ts';
import { type StoreHold, toStoreHold } from './store-hold.ts';

/** A process counts as dead when it has missed this many renewals. */
const RENEWALS_PER_LIFE = 3;
const MAX_RENEW_MS = 5_000;

/** The keys of `detectOldStore`. */
export const storeUseKeys = {
  uses: jobKeys.storeUses,
  hold: jobKeys.storeHold,
  open: jobKeys.open,
  sweeps: jobKeys.sweeps,
};

/** The arguments of `detectOldStore`. */
export interface StoreUseArgs {
  process: string;
  renewedAt: number;
  oldAfterMs: number;
}

/**
 * The use of the store by this process. It shows how old a store is, so that no process runs jobs of a copy
 * that was put back without a word. Commands that only write records need none.
 */
export class StoreUse {
  readonly #redis: Redis;
  readonly #process = newId();
  readonly #oldAfterMs: number;
  #renewedAt = 0;
  #since = 0;
  #hold: StoreHold | null = null;
  #hasEnded = false;

  constructor(redis: Redis, { oldStoreSeconds }: { oldStoreSeconds: number }) {
    this.#redis = redis;
    this.#oldAfterMs = oldStoreSeconds * 1000;
  }

  /** How often the entry of the process must be renewed. */
  get renewMs(): number {
    return Math.min(MAX_RENEW_MS, this.#oldAfterMs / 4);
  }

  /**
   * Since when this process has used the store without a loss that it knows of, by the clock of the store, in
   * milliseconds since the epoch.
   */
  get since(): number {
    return this.#since;
  }

  /** Why jobs were held at the last renewal; null if they were not. */
  get hold(): StoreHold | null {
    return this.#hold;
  }

  /** For a script that must not act while jobs are held. */
  get args(): StoreUseArgs {
    // A store without the entry of a process that has ended its use lacks nothing.
    const renewedAt = this.#hasEnded ? 0 : this.#renewedAt;
    return { process: this.#process, renewedAt, oldAfterMs: this.#oldAfterMs };
  }

  /**
   * Renews the entry of the process, unless its use has ended. Returns why jobs are held; null while they
   * run.
   */
  async renew(): Promise<StoreHold | null> {
    if (this.#hasEnded) return this.#hold;
    const reply = (await renewUseScript.run(this.#redis, storeUseKeys, this.args)) as unknown[];
    const [at, before, cause, usedAt, heldAt] = reply;
    if (this.#renewedAt === 0 || this.#renewedAt - Number(before) > this.renewMs) this.#since = Number(at);
    this.#renewedAt = Number(at);
    this.#hold = toStoreHold(cause, usedAt, heldAt);
    return this.#hold;
  }

  /** To be called when the process has stopped its work in order, or is about to exit. */
  async end(): Promise<void> {
    this.#hasEnded = true;
    const args = { process: this.#process, liveMs: RENEWALS_PER_LIFE * this.renewMs };
    await endUseScript.run(this.#redis, { uses: jobKeys.storeUses }, args);
  }
}
