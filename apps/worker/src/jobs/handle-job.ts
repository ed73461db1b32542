import {
  countFault,
  type JobFailure,
  jobTraits,
  type QueuedJob,
  readResumeCount,
  SupersededError,
} from '@gateway/jobs';
import { isRedisUnavailable } from '@gateway/redis';
import { JournalWriteError, ReleasedError } from '@gateway/saga';
import { DelayedError, type Job, WaitingError } from 'bullmq';
import type { WorkerContext } from '../context.ts';
import { isRoutine, routines } from '../upkeep/routines.ts';
import { runJob, type SetAside } from './run-job.ts';

const GIVEN_UP: JobFailure = {
  status: 500,
  code: 'internal_error',
  detail: 'The job could not be carried out because of an internal error.',
};

/**
 * Runs what a queue has given this process, and tells the queue what comes next: that it is over, that somebody
 * else goes on with it, that it waits for a while, or that it is tried again.
 */
export async function handleJob(
  context: WorkerContext,
  job: Job<QueuedJob>,
  token: string | undefined,
): Promise<void> {
  if (isRoutine(job.name)) {
    // A round may take longer than the time between two: the next one would only do the same beside it.
    if (!(await context.queues.isEarlierEntryRunning('upkeep', job))) await routines[job.name](context);
    return;
  }
  let setAside: SetAside | null;
  try {
    setAside = await runJob(context, job.id ?? '', job.data);
  } catch (error) {
    if (error instanceof ReleasedError) {
      context.logger.info('A job is handed back', { job_id: job.id, type: job.data.type });
      await job.moveToWait(token);
      throw new WaitingError();
    }
    await countIfFault(context, job, error);
    throw error;
  }
  if (setAside === null) return;
  await job.moveToDelayed(Date.now() + setAside.pauseMs, token);
  const wakes = await readResumeCount(context.redis.store, job.id ?? '');
  if (wakes !== setAside.wakes) await context.queues.promote(jobTraits[job.data.type].queue, job.id ?? '');
  throw new DelayedError();
}

/** What does not pass by itself is not tried for ever: in the end the job is taken back. */
async function countIfFault(context: WorkerContext, job: Job<QueuedJob>, error: unknown): Promise<void> {
  const cause = error instanceof JournalWriteError ? error.cause : error;
  if (cause instanceof SupersededError || isRedisUnavailable(cause)) return;
  const limit = context.config.jobs.maxFailedRuns;
  await countFault(context.redis.store, job.id ?? '', { failure: GIVEN_UP, limit });
}
