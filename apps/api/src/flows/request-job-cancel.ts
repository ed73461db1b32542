import { type JobRecord, requestCancel, resumeJob, traitsOf } from '@gateway/jobs';
import type { RequestContext } from '../pipeline/request-context.ts';

/**
 * Requests the job's cancellation. The job rolls back at its next safe point. Returns false if the job has
 * ended or can no longer be cancelled.
 */
export async function requestJobCancel(
  { app, logger }: Pick<RequestContext, 'app' | 'logger'>,
  job: JobRecord,
): Promise<boolean> {
  const { redis, queues } = app;
  const { isCancellableWhileRunning, refusesCancellation = false } = traitsOf(job.type);
  if (refusesCancellation) return false;
  const onlyIfQueued = !isCancellableWhileRunning;
  if (!(await requestCancel(redis.store, job.id, { onlyIfQueued }))) return false;
  // Resumes a deferred job, so that it rolls back now. If that fails, the job notices the request when it
  // resumes.
  await resumeJob(redis.store, queues, job).catch((error: unknown) => {
    logger.debug('Failed to resume a job after its cancellation', { job_id: job.id, error });
  });
  return true;
}
