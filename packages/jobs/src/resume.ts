import type { Redis } from '@gateway/redis';
import { type JobType, jobTraits } from './catalog.ts';
import { fairQueueingArgs, fairQueueingKeys, type SlotLimits } from './fair-queueing.ts';
import { jobKeys } from './keys.ts';
import { ELIGIBLE_PROJECTS_SCRIPT } from './progress-scripts.ts';
import type { Queues } from './queues.ts';

type Job = { id: string; type: JobType; projectId: string };

/** Limits the waiting jobs of a project that are tried: index of the last one. */
const LAST_CONSIDERED = '19';

const COUNT_RESUME_SCRIPT = `
  if redis.call('EXISTS', KEYS[1]) == 0 then return 0 end
  return redis.call('HINCRBY', KEYS[1], 'wakes', 1)`;

/**
 * Resumes a parked or waiting job at once. A job that is being parked at this moment detects the call by the resume
 * count.
 */
export async function resumeJob(redis: Redis, queues: Queues, job: Pick<Job, 'id' | 'type'>): Promise<void> {
  await redis.eval(COUNT_RESUME_SCRIPT, 1, jobKeys.record(job.id));
  await queues.promote(jobTraits[job.type].queue, job.id);
}

/** How often a job has been resumed. */
export async function readResumeCount(redis: Redis, jobId: string): Promise<number> {
  return Number((await redis.hget(jobKeys.record(jobId), 'wakes')) ?? 0);
}

export interface PromoteOptions extends SlotLimits {
  /** Counts a job that is ready in the queue as the next job; otherwise one more is promoted. */
  acceptReadyJob?: boolean;
}

/**
 * Promotes the oldest waiting job of the project that fair queueing serves next. Returns that project; null when no job
 * may begin, or none of them is in the queue. `projectId` is always considered.
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
    // A job that is being deferred at this moment detects the call by the count.
    const countResume = (jobId: string) => redis.eval(COUNT_RESUME_SCRIPT, 1, jobKeys.record(jobId));
    for (const jobId of await redis.zrange(jobKeys.waiting(queue, project), 0, LAST_CONSIDERED)) {
      const state = await queues.tryPromote(queue, jobId);
      if (state === 'missing') continue;
      if (!isInQueue) await countResume(jobId);
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
