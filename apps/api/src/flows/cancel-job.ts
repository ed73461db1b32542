import { type JobRecord, jobTraits, requestCancel, resumeJob } from '@gateway/jobs';
import type { RequestContext } from '../pipeline/request-context.ts';

/** Has a job turn back at its next safe point; false when it has ended, or can not be taken back any more. */
export async function cancelJobSoon(
  { app, logger }: Pick<RequestContext, 'app' | 'logger'>,
  job: JobRecord,
): Promise<boolean> {
  const { redis, queues } = app;
  const onlyIfQueued = !jobTraits[job.type].isCancellableWhileRunning;
  if (!(await requestCancel(redis.store, job.id, { replicatedWrite: redis.replicatedWrite, onlyIfQueued })))
    return false;
  // One that waits is woken to turn back; one that could not be woken sees the wish when its turn comes.
  await resumeJob(redis.store, queues, job).catch((error: unknown) => {
    logger.debug('A cancelled job could not be woken', { job_id: job.id, error });
  });
  return true;
}
