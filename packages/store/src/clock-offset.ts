import type { Redis } from './redis.ts';

/**
 * By how many seconds the clock of this process is ahead of that of Redis; in a Cluster, of any of its
 * servers. All processes compare theirs with one server, so two of them differ by no more than the sum.
 */
export async function readClockOffset(redis: Redis, now: () => number): Promise<number> {
  const sentAt = now();
  const [seconds = 0, microseconds = 0] = (await redis.time()).map(Number);
  const answeredAt = now();
  return ((sentAt + answeredAt) / 2 - (seconds * 1000 + microseconds / 1000)) / 1000;
}

/** The time by the clock of Redis, in milliseconds since the epoch. */
export async function readStoreTime(redis: Redis): Promise<number> {
  return Math.round(Date.now() - (await readClockOffset(redis, Date.now)) * 1000);
}
