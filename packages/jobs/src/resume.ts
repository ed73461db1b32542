import type { Redis } from '@gateway/redis';
import { type JobType, jobTraits } from './catalog.ts';
import { fairQueueingArgs, fairQueueingKeys, type SlotLimits } from './fair-queueing.ts';
import { jobKeys } from './keys.ts';
import { ELIGIBLE_PROJECTS_SCRIPT } from './progress-scripts.ts';
import type { Queues } from './queues.ts';

type Job = { id: string; type: JobType; projectId: string };

/** Jobs of a project that are looked at for the next one whose turn it is. */
const LAST_LOOKED_AT = '19';

const COUNT_RESUME_SCRIPT = `
  if redis.call('EXISTS', KEYS[1]) == 0 then return 0 end
  return redis.call('HINCRBY', KEYS[1], 'wakes', 1)`;

/**
 * Has a job that is parked, or waits for its turn, go on at once: what it waits for has come. A job that is just
 * being parked learns it from the count.
 */
export async function resumeJob(redis: Redis, queues: Queues, job: Pick<Job, 'id' | 'type'>): Promise<void> {
  await redis.eval(COUNT_RESUME_SCRIPT, 1, jobKeys.record(job.id));
  await queues.promote(jobTraits[job.type].queue, job.id);
}

/** How often a job has been woken. */
export async function readResumeCount(redis: Redis, jobId: string): Promise<number> {
  return Number((await redis.hget(jobKeys.record(jobId), 'wakes')) ?? 0);
}

export interface PromoteOptions extends SlotLimits {
  /** A job that stands in the queue already will do; else a further one is promoted beside it. */
  acceptReadyJob?: boolean;
}

/**
 * Has a job begin of the project whose turn it is on a queue, the one that has waited longest. Gives that project; null
 * when none may begin, or none of them is in the queue. `projectId` is one that is considered in any case.
 */
export async function promoteNextJob(
  redis: Redis,
  queues: Queues,
  { type, projectId }: Omit<Job, 'id'>,
  { acceptReadyJob = false, ...limits }: PromoteOptions = { runningLimit: 0 },
): Promise<string | null> {
  const { queue } = jobTraits[type];
  const keys = fairQueueingKeys(queue);
  const args = fairQueueingArgs(limits, projectId);
  const projects = (await redis.eval(ELIGIBLE_PROJECTS_SCRIPT, keys.length, ...keys, ...args)) as string[];
  for (const project of projects) {
    let isInQueue = false;
    // One that is just being set aside learns of it from the count.
    const wake = (jobId: string) => redis.eval(COUNT_RESUME_SCRIPT, 1, jobKeys.record(jobId));
    for (const jobId of await redis.zrange(jobKeys.waiting(queue, project), 0, LAST_LOOKED_AT)) {
      const state = await queues.tryPromote(queue, jobId);
      if (state === 'missing') continue;
      if (!isInQueue) await wake(jobId);
      if (state === 'promoted' || acceptReadyJob) return project;
      isInQueue = true;
    }
    if (isInQueue) return project;
  }
  return null;
}

/** How many jobs of its project wait before this one. */
export async function countJobsAhead(redis: Redis, { id, type, projectId }: Job): Promise<number> {
  return (await redis.zrank(jobKeys.waiting(jobTraits[type].queue, projectId), id)) ?? 0;
}
