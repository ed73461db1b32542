import type { Redis } from '@gateway/store';
import { jobKeys } from '../keys.ts';
import { releaseHoldScript } from './scripts.ts';

/**
 * Why jobs are held. `unused`: all processes had ended without stopping in order, long before the next one
 * started. `set_back`: the store has lost what a process that still runs has written to it.
 */
type HoldCause = 'unused' | 'set_back';

/** The store may be an older copy: no job runs until an operator decides. See decision 125. */
export interface StoreHold {
  cause: HoldCause;
  /** When the store was last used before, by its own clock, in milliseconds since the epoch. */
  usedAt: number;
  heldAt: number;
}

/** In place of a process: a command has ended the hold. */
const COMMAND = 'command';

export async function readStoreHold(redis: Redis): Promise<StoreHold | null> {
  const { cause, usedAt, heldAt } = await redis.hgetall(jobKeys.storeHold);
  return toStoreHold(cause, usedAt, heldAt);
}

/** Lets jobs run, also in processes that start within the next minutes. Returns whether they were held. */
export async function releaseStoreHold(redis: Redis): Promise<boolean> {
  const keys = { uses: jobKeys.storeUses, hold: jobKeys.storeHold };
  return (await releaseHoldScript.run(redis, keys, { process: COMMAND })) === 1;
}

export function toStoreHold(cause: unknown, usedAt: unknown, heldAt: unknown): StoreHold | null {
  if (cause === undefined) return null;
  return { cause: cause as HoldCause, usedAt: Number(usedAt), heldAt: Number(heldAt) };
}
