import { joinJob } from '@gateway/jobs';
import type { AppContext } from '../context.ts';
import type { RequestContext } from '../pipeline/request-context.ts';

export type RepeatableRequest = Pick<RequestContext, 'isRepeat' | 'jobId'> & {
  app: Pick<AppContext, 'queues' | 'redis'>;
};

/**
 * True when the job that a repeated request asks for is there, so that nothing is to be queued. One whose
 * process died between its record and its queue is put there now.
 */
export async function findsItsJob({ app, isRepeat, jobId }: RepeatableRequest): Promise<boolean> {
  if (!isRepeat) return false;
  const job = await joinJob(app.redis.store, jobId);
  if (job === null) return false;
  if (job.status === 'queued' && job.queued !== null) await app.queues.add(jobId, job.queued);
  return true;
}
