import type { Redis } from './redis.ts';
import { unlockScript } from './scripts.ts';

/** A key that one holder at a time has. */
export interface Lock {
  key: string;
  /** Unique for each attempt. */
  holder: string;
}

/**
 * Takes a lock for `ms`, unless another holder has it. It keeps processes from doing the same work at once,
 * and expires when its holder dies. A lock that is not released allows something once in `ms`. It does not
 * guard data: after a pause longer than `ms`, two may hold it. Decision 207 names the other kinds.
 */
export async function takeLock(redis: Redis, { key, holder }: Lock, ms: number): Promise<boolean> {
  return (await redis.set(key, holder, 'PX', ms, 'NX')) === 'OK';
}

/** Releases a lock, if the holder still has it. */
export async function releaseLock(redis: Redis, { key, holder }: Lock): Promise<void> {
  await unlockScript.run(redis, { lock: key }, { holder });
}

export async function isLocked(redis: Redis, key: string): Promise<boolean> {
  return (await redis.exists(key)) === 1;
}
