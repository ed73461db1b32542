import { joinJob, queueJob } from '@gateway/jobs';
import type { AppContext } from '../context.ts';
import type { RequestContext } from '../pipeline/request-context.ts';

type RepeatableRequest = Pick<RequestContext, 'isRepeat' | 'jobId'> & {
  app: Pick<AppContext, 'queues' | 'redis'>;
};

/**
 * Whether the job of a repeated request exists already. Also adds the job to its queue if a process died
 * after it wrote the record.
 */
export async function joinExistingJob({ app, isRepeat, jobId }: RepeatableRequest): Promise<boolean> {
  if (!isRepeat) return false;
  const job = await joinJob(app.redis.store, jobId);
  if (job === null) return false;
  if (job.status === 'queued' && job.queued !== null) {
    await queueJob(app.redis.store, app.queues, jobId, job.queued);
  }
  return true;
}
