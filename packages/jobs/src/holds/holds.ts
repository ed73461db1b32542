import type { Redis } from '@gateway/store';
import { traitsOf } from '../catalog/catalog.ts';
import { noEstimate } from '../estimates/job-bar.ts';
import { fairQueueingKeys } from '../fairness/fair-queueing.ts';
import { FEED_LENGTH } from '../feed/feed.ts';
import { changeKeys, jobKeys } from '../keys.ts';
import { entryOf, readLastMessage } from '../progress/job-events.ts';
import type { HoldReason, JobHold, JobRecord } from '../records/job-record.ts';
import { heldMessage } from '../records/present-job.ts';
import { announceHoldScript, holdScript, releaseScript } from './scripts.ts';

type Job = Pick<JobRecord, 'id' | 'type' | 'projectId'>;

/**
 * Holds a job for an administrator: no worker runs it until it is released or cancelled. A run in progress
 * stops at its next safe point. Returns false for a job that is held already or has ended.
 *
 * @throws NewerFormError for a type that only a newer gateway has
 */
export function holdJob(redis: Redis, job: Job): Promise<boolean> {
  return change(holdScript, redis, job);
}

/** Releases a job that is held; returns false for another one. Resume it afterwards (`resumeJob`). */
export function releaseJob(redis: Redis, job: Job): Promise<boolean> {
  return change(releaseScript, redis, job);
}

async function change(
  script: typeof holdScript | typeof releaseScript,
  redis: Redis,
  { id, type, projectId }: Job,
): Promise<boolean> {
  const { isListed } = traitsOf(type);
  const keys = {
    ...fairQueueingKeys({ type, projectId }),
    record: jobKeys.record(id),
    held: jobKeys.held,
    outbox: jobKeys.outbox,
    ...changeKeys(projectId),
  };
  const done = await script.runReplicated(redis, keys, {
    job: id,
    project: projectId,
    isListed,
  });
  return done === 1;
}

/** Publishes that the job is held. Returns false if that was published before. */
export async function announceHold(redis: Redis, jobId: string, hold: JobHold): Promise<boolean> {
  const length = await redis.llen(jobKeys.log(jobId));
  const last = await readLastMessage(redis, jobId);
  const event = { ...last, message: heldMessage(hold), job_id: jobId, ...noEstimate };
  const done = await announceHoldScript.run(
    redis,
    { record: jobKeys.record(jobId), log: jobKeys.log(jobId), feed: jobKeys.feed },
    {
      job: jobId,
      heldAt: hold.at,
      entry: last === null ? '' : entryOf({ ...last, ...event }),
      length,
      feedLength: FEED_LENGTH,
    },
  );
  return done === 1;
}

/** The number of held jobs in all projects, by reason. */
export async function countHeldJobs(redis: Redis): Promise<Record<HoldReason, number>> {
  const reasons = await redis.hvals(jobKeys.held);
  const count = (reason: HoldReason) => reasons.filter((each) => each === reason).length;
  return { lost_runs: count('lost_runs'), administrator: count('administrator') };
}
