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
export async function restoreLostJobs({ config, redis, queues, logger }: WorkerContext): Promise<void> {
  const before = Date.now() - config.jobs.lockSeconds * 1000 * LEAST_AGE_IN_LOCKS;
  for (const jobId of await readOpenJobs(redis.store, before)) {
    const [record, queued] = await Promise.all([readJob(redis.store, jobId), readQueued(redis.store, jobId)]);
    if (record === null || queued === null) continue;
    const { queue } = jobTraits[record.type];
    if (await queues.has(queue, jobId)) continue;
    if (record.status === 'queued') {
      await countFault(redis.store, jobId, { failure: NEVER_QUEUED, limit: 0 });
    }
    await queues.add(jobId, queued);
    logger.warn('A job was lost by its queue and is put back', { job_id: jobId, type: record.type, queue });
  }
}
