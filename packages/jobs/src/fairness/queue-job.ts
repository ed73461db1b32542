import type { Redis } from '@gateway/store';
import { traitsOf } from '../catalog/catalog.ts';
import type { QueuedJob } from '../catalog/queued-job.ts';
import { jobKeys } from '../keys.ts';
import type { Queues } from '../queues/queues.ts';
import { BLOCKED, fairQueueingKeys, priorityOf, type WaitingJob } from './fair-queueing.ts';
import { admitBlockedScript, admitScript } from './scripts.ts';

/**
 * Until a job above the limit of its project asks by itself whether it may begin. Each end of a job of its
 * project admits one, so this matters only if a worker dies between a job's end and that.
 */
export const BLOCKED_RECHECK_MS = 600_000;

/**
 * Adds a job to its queue, unless the queue contains it: where fair queueing puts it, or delayed while its
 * project runs as many jobs as it may.
 */
export async function queueJob(redis: Redis, queues: Queues, id: string, job: QueuedJob): Promise<void> {
  const waiting = { id, type: job.type, projectId: job.projectId };
  await queueAdmitted(redis, queues, id, job, await admit(redis, queues, waiting));
}

/** Adds a job with its tag; null for one that has begun. */
export async function queueAdmitted(
  redis: Redis,
  queues: Queues,
  id: string,
  job: QueuedJob,
  tag: number | null,
): Promise<void> {
  if (tag === null) return queues.add(id, job);
  if (tag !== BLOCKED) return queues.add(id, job, { priority: priorityOf(tag) });
  await queues.add(id, job, { delayMs: BLOCKED_RECHECK_MS });
  // It may have been admitted before the queue contained it.
  const { type, projectId } = job;
  const now = await admit(redis, queues, { id, type, projectId });
  if (now !== BLOCKED && now !== null) await queues.makeReady(traitsOf(type).queue, id, priorityOf(now));
}

/**
 * Lets jobs begin that wait for a slot of their project: one of its jobs has ended or is parked, held or
 * gone. `isRepeated` says that a worker may have died while it did the same.
 */
export async function admitBlockedJobs(
  redis: Redis,
  queues: Queues,
  { type, projectId }: Omit<WaitingJob, 'id'>,
  { isRepeated }: { isRepeated: boolean },
): Promise<void> {
  const { queue } = traitsOf(type);
  const found = await admitBlockedScript.run(redis, fairQueueingKeys({ type, projectId }), {
    project: projectId,
    runningLimit: queues.runningLimits[queue],
    all: isRepeated,
  });
  const admitted = found as (string | number)[];
  for (let at = 0; at < admitted.length; at += 2) {
    await queues.makeReady(queue, String(admitted[at]), priorityOf(Number(admitted[at + 1])));
  }
}

/** The job's tag, `BLOCKED` if its project may not run it, and null if it has begun. */
async function admit(
  redis: Redis,
  queues: Queues,
  { id, type, projectId }: WaitingJob,
): Promise<number | null> {
  const keys = { ...fairQueueingKeys({ type, projectId }), record: jobKeys.record(id) };
  const runningLimit = queues.runningLimits[traitsOf(type).queue];
  const tag = await admitScript.run(redis, keys, { project: projectId, runningLimit, job: id });
  return tag === null ? null : Number(tag);
}
