import type { Redis } from '@gateway/redis';
import { type JobType, jobTraits } from './catalog.ts';
import { jobKeys } from './keys.ts';
import type { Queues } from './queues.ts';

type Job = { id: string; type: JobType; projectId: string };

/** Jobs of a project that are looked at for the next one whose turn it is. */
const LAST_LOOKED_AT = '19';

const COUNT_WAKE_SCRIPT = `
  if redis.call('EXISTS', KEYS[1]) == 0 then return 0 end
  return redis.call('HINCRBY', KEYS[1], 'wakes', 1)`;

/**
 * Has a job that is parked, or waits for its turn, go on at once: what it waits for has come. A job that is just
 * being parked learns it from the count.
 */
export async function wakeJob(redis: Redis, queues: Queues, job: Pick<Job, 'id' | 'type'>): Promise<void> {
  await redis.eval(COUNT_WAKE_SCRIPT, 1, jobKeys.record(job.id));
  await queues.promote(jobTraits[job.type].queue, job.id);
}

/** How often a job has been woken. */
export async function readWakes(redis: Redis, jobId: string): Promise<number> {
  return Number((await redis.hget(jobKeys.record(jobId), 'wakes')) ?? 0);
}

/** Gives the place of a job that has ended, or was parked, to the one of its project that has waited longest. */
export async function wakeNext(redis: Redis, queues: Queues, ended: Omit<Job, 'id'>): Promise<void> {
  const { queue } = jobTraits[ended.type];
  const waiting = await redis.zrange(jobKeys.waiting(queue, ended.projectId), 0, LAST_LOOKED_AT);
  for (const jobId of waiting) {
    if (await queues.promote(queue, jobId)) return;
  }
}

/** How many jobs of its project wait before this one. */
export async function waitingRank(redis: Redis, { id, type, projectId }: Job): Promise<number> {
  return (await redis.zrank(jobKeys.waiting(jobTraits[type].queue, projectId), id)) ?? 0;
}
