import { countFault, type JobFailure, jobTraits, readJob, readOpenJobs, readQueued } from '@gateway/jobs';
import type { WorkerContext } from '../context.ts';

/** A job that is younger than so many times the hold on a job may be just on its way into its queue. */
const LEAST_AGE_IN_LOCKS = 3;

const NEVER_QUEUED: JobFailure = {
  status: 503,
  code: 'store_unavailable',
  detail: 'The job was lost before it began. Nothing has been made; please try again.',
};

/**
 * Puts jobs that have not ended back into their queues where these no longer know them: a process can die between
 * writing a job's record and queueing it, and a Redis that takes over for another may lack what was queued last. A
 * job that had begun goes on from its journal. One that had not may never have been accepted: it fails, with
 * nothing made.
 */
export async function restoreLostJobs(context: WorkerContext): Promise<void> {
  const { config, redis, logger } = context;
  const before = Date.now() - config.jobs.lockSeconds * 1000 * LEAST_AGE_IN_LOCKS;
  for (const jobId of await readOpenJobs(redis.store, before)) {
    if (context.stopping.signal.aborted) return;
    try {
      await restoreIfLost(context, jobId);
    } catch (error) {
      logger.warn('A job could not be put back into its queue yet', { job_id: jobId, error });
    }
  }
}

async function restoreIfLost({ redis, queues, logger }: WorkerContext, jobId: string): Promise<void> {
  const [record, queued] = await Promise.all([readJob(redis.store, jobId), readQueued(redis.store, jobId)]);
  if (record === null || queued === null) return;
  const { queue } = jobTraits[record.type];
  if (await queues.has(queue, jobId)) return;
  if (record.status === 'queued') {
    await countFault(redis.store, jobId, { failure: NEVER_QUEUED, limit: 0 });
  }
  await queues.add(jobId, queued);
  logger.warn('A job was lost by its queue and is put back', { job_id: jobId, type: record.type, queue });
}
