import type { Redis } from '@gateway/store';
import { traitsOf } from '../catalog/catalog.ts';
import { jobKeys } from '../keys.ts';
import { FRONT_PRIORITY, type Queues } from '../queues/queues.ts';
import { countResumeScript } from './scripts.ts';

/**
 * Moves a job to the front of its queue: a parked one, or one that is to roll back or was held.
 * @throws NewerFormError for a type that only a newer gateway has
 */
export async function resumeJob(
  redis: Redis,
  queues: Queues,
  { id, type }: { id: string; type: string },
): Promise<void> {
  await countResumeScript.run(redis, { record: jobKeys.record(id) });
  await queues.makeReady(traitsOf(type).queue, id, FRONT_PRIORITY);
}

/** How often a job has been resumed. */
export async function readResumeCount(redis: Redis, jobId: string): Promise<number> {
  return Number((await redis.hget(jobKeys.record(jobId), 'resumes')) ?? 0);
}

/** What a worker reads of a job before it claims it. */
export async function readBeforeClaim(
  redis: Redis,
  jobId: string,
): Promise<{ resumeCount: number; lostRuns: number }> {
  const [resumes, lostRuns, openRun] = await redis.hmget(
    jobKeys.record(jobId),
    'resumes',
    'lostRuns',
    'openRun',
  );
  return { resumeCount: Number(resumes ?? 0), lostRuns: Number(lostRuns ?? 0) + (openRun ? 1 : 0) };
}
