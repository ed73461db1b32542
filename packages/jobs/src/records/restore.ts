import type { Redis } from '@gateway/store';
import { jobKeys } from '../keys.ts';
import { queueNames } from '../queues/queues.ts';
import type { JobFailure } from './job-failure.ts';

/**
 * Why a job has ended that was unfinished in the copy from which the store was restored. Nothing is rolled
 * back: the job may have completed after the copy, and users may use its result.
 */
export const INTERRUPTED: JobFailure = {
  status: 503,
  code: 'interrupted_by_restore',
  detail:
    'The job was interrupted: the data of the gateway were restored from an older copy. The job may have completed in part or as a whole, so check the result before you repeat the request.',
};

export function isInterruption({ code }: Pick<JobFailure, 'code'>): boolean {
  return code === INTERRUPTED.code;
}

/** A restore of the store from a copy. Times are in milliseconds since the epoch. */
export interface Restore {
  copiedAt: number;
  begunAt: number;
  /** Null until everything that the copy had left unfinished has ended. */
  completedAt: number | null;
}

/** The last restore of the store; null if it never was restored. */
export async function readRestore(redis: Redis): Promise<Restore | null> {
  const { copiedAt, begunAt, completedAt } = await redis.hgetall(jobKeys.restore);
  if (copiedAt === undefined) return null;
  return {
    copiedAt: Number(copiedAt),
    begunAt: Number(begunAt),
    completedAt: completedAt ? Number(completedAt) : null,
  };
}

export async function writeRestore(redis: Redis, { copiedAt, begunAt, completedAt }: Restore): Promise<void> {
  await redis.hset(jobKeys.restore, { copiedAt, begunAt, completedAt: completedAt ?? '' });
}

/**
 * When the store was last used, as far as it shows: by the latest event of a job, the creation of the
 * youngest unfinished job, and the registrations of workers, which each last for `registrationMs`. In
 * milliseconds since the epoch; 0 for never.
 */
export async function readLastUse(redis: Redis, registrationMs: number): Promise<number> {
  const newestOf = async (key: string) => Number((await redis.zrevrange(key, 0, 0, 'WITHSCORES'))[1] ?? 0);
  const [event] = await redis.xrevrange(jobKeys.feed, '+', '-', 'COUNT', 1);
  const registered = await Promise.all(queueNames.map((queue) => newestOf(jobKeys.slots(queue))));
  return Math.max(
    Number(event?.[0].split('-')[0] ?? 0),
    await newestOf(jobKeys.open),
    ...registered.map((until) => until - registrationMs),
  );
}
