import { CLOCK_TOLERANCE_MS } from '@gateway/core';
import {
  countFault,
  isKnownJobType,
  type JobFailure,
  jobTypes,
  queueJob,
  readJob,
  readOpenJobs,
  readQueued,
} from '@gateway/jobs';
import { readStoreTime } from '@gateway/store';
import type { WorkerContext } from '../context.ts';

/** In multiples of the job lock's time. A younger job may still be on its way into its queue. */
const MIN_AGE_IN_LOCKS = 3;

const NEVER_QUEUED: JobFailure = {
  status: 503,
  code: 'store_unavailable',
  detail: 'The job was lost before it began. Nothing was created; please try again.',
};

/**
 * Adds unfinished jobs to their queues again when the queue has lost them: a process may die between writing
 * a job's record and queueing the job, and a failover of Redis may lose the last queue entries. A job that
 * had begun continues from its journal. A job that had not begun may never have been accepted: it fails, and
 * nothing is created. A job that the gateway itself started, which has no credential, always runs.
 *
 * A job that a worker has deferred whose clock is ahead would wait longer by the difference. It becomes ready
 * at once.
 */
export async function restoreLostJobs(context: WorkerContext): Promise<void> {
  const { config, redis, logger } = context;
  const before = Date.now() - config.jobs.lockSeconds * 1000 * MIN_AGE_IN_LOCKS;
  for (const jobId of await readOpenJobs(redis.store, before)) {
    if (context.stopping.signal.aborted) return;
    try {
      await restoreIfLost(context, jobId);
    } catch (error) {
      logger.warn('A lost job could not be queued again yet', { job_id: jobId, error });
    }
  }
}

async function restoreIfLost({ redis, queues, logger }: WorkerContext, jobId: string): Promise<void> {
  const [record, queued] = await Promise.all([readJob(redis.store, jobId), readQueued(redis.store, jobId)]);
  // A newer worker restores jobs of types that only it knows.
  if (record === null || queued === null || !isKnownJobType(record.type)) return;
  const { queue } = jobTypes[record.type];
  if (await queues.has(queue, jobId)) {
    const deferredAt = (await queues.deferredAt(queue, jobId)) ?? 0;
    const latest = (await readStoreTime(redis.store)) + CLOCK_TOLERANCE_MS;
    if (deferredAt > latest && (await queues.promote(queue, jobId)))
      logger.warn('A job that was deferred by a wrong clock is ready', { job_id: jobId, type: record.type });
    return;
  }
  if (record.status === 'queued' && queued.credentialHandle !== null) {
    await countFault(redis.store, jobId, { failure: NEVER_QUEUED, limit: 0 });
  }
  await queues.remove(queue, jobId);
  await queueJob(redis.store, queues, jobId, queued);
  logger.warn('A job that its queue had lost is queued again', { job_id: jobId, type: record.type, queue });
}
