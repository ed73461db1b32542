import { DUE_ENTRY, type DueEntryData } from '@gateway/auto-backup';
import { fromStored, NewerFormError, storedForms, UnknownSealingKeyError } from '@gateway/core';
import {
  countFault,
  dueTimeOfEntry,
  isKnownJobType,
  isScheduledTask,
  type JobFailure,
  jobTypes,
  type QueuedJob,
  readResumeCount,
  SupersededError,
} from '@gateway/jobs';
import { ServiceUserRefusedError } from '@gateway/openstack';
import { isRedisUnavailable } from '@gateway/store';
import { DelayedError, type Job, UnrecoverableError, WaitingError } from 'bullmq';
import type { WorkerContext } from '../context.ts';
import { startAutoBackupInTime } from '../jobs/start-auto-backup.ts';
import { runScheduledTask } from '../maintenance/scheduled-tasks.ts';
import { JournalWriteError, mustWait, ReleasedError } from '../saga/index.ts';
import { type Deferral, type JobEnd, runJob } from './run-job.ts';

/**
 * The delay until another worker gets an entry that this one does not know. During an upgrade there is such a
 * worker.
 */
const NEWER_PAUSE_MS = 5_000;

/** The delay until a job tries again what an operator has to mend first. */
const OPERATOR_PAUSE_MS = 10_000;

const TOO_MANY_FAULTS: JobFailure = {
  status: 500,
  code: 'internal_error',
  detail: 'The job could not be carried out because of an internal error.',
};

/**
 * Runs an entry of a queue and reports the result to BullMQ: the job ended (returns its status, or throws
 * `UnrecoverableError` if it failed), was released to another worker, is deferred, or must be retried. A job
 * that must wait (`mustWait`) is deferred without counting a fault.
 */
export async function handleJob(
  worker: WorkerContext,
  job: Job<QueuedJob>,
  token: string | undefined,
): Promise<string | undefined> {
  try {
    return await handleKnown(worker, job, token);
  } catch (error) {
    if (!mustWait(error)) throw error;
    reportWaiting(worker, job, error);
    // The schedule repeats its tasks.
    if (isScheduledTask(job.name)) return undefined;
    const pauseMs = error instanceof NewerFormError ? NEWER_PAUSE_MS : OPERATOR_PAUSE_MS;
    await job.moveToDelayed(Date.now() + pauseMs, token);
    throw new DelayedError();
  }
}

function reportWaiting({ logger }: WorkerContext, job: Job<QueuedJob>, error: unknown): void {
  const { type } = job.data as Partial<QueuedJob>;
  const about = { job_id: job.id, type: type ?? job.name, error };
  if (error instanceof UnknownSealingKeyError) {
    logger.error('A job waits for a sealing key: put it into GATEWAY_SEALING_KEYS again', {
      ...about,
      key_id: error.keyId,
      reason: error.reason,
    });
  } else if (error instanceof ServiceUserRefusedError) {
    logger.warn('A job waits until the identity service accepts the service user', about);
  } else {
    logger.warn('A job is left to a newer worker', about);
  }
}

async function handleKnown(
  worker: WorkerContext,
  job: Job<QueuedJob>,
  token: string | undefined,
): Promise<string | undefined> {
  // A job is held when it is claimed.
  if (isOfGateway(job) && (await worker.storeUse.renew()) !== null) return undefined;
  if (isScheduledTask(job.name)) {
    // A task may take longer than its interval: a second run beside it would only repeat its work.
    if (!(await worker.queues.isEarlierEntryRunning('maintenance', job)))
      await runScheduledTask(worker, job.name);
    return undefined;
  }
  if (job.name === DUE_ENTRY) {
    const { configurationId } = job.data as unknown as DueEntryData;
    const waitMs = await startAutoBackupInTime(worker, configurationId, dueTimeOfEntry(job.id ?? ''));
    if (waitMs === 0) return undefined;
    await job.moveToDelayed(Date.now() + waitMs, token);
    throw new DelayedError();
  }
  // A scheduled task that only newer workers know. The schedule repeats it.
  if ((job.data.type as string | undefined) === undefined) return undefined;
  const queued = fromStored(storedForms.job, job.data);
  if (!isKnownJobType(queued.type)) throw new NewerFormError(`job of type ${String(queued.type)}`);
  let result: Deferral | JobEnd;
  try {
    result = await runJob(worker, job.id ?? '', queued);
  } catch (error) {
    if (error instanceof ReleasedError) {
      worker.logger.info('Job released to another worker', { job_id: job.id, type: job.data.type });
      await job.moveToWait(token);
      throw new WaitingError();
    }
    await countIfFault(worker, job, error);
    throw error;
  }
  if ('status' in result) {
    const { failure, status } = result;
    // The ended entry stays for a while, but not what the user has sent, nor what opens it.
    await job.updateData({ ...job.data, payload: {}, credentialHandle: null });
    // Any other error would run the job again.
    if (status === 'failed') throw new UnrecoverableError(failure?.detail);
    return status;
  }
  await job.moveToDelayed(Date.now() + result.delayMs, token);
  const resumeCount = await readResumeCount(worker.redis.store, job.id ?? '');
  if (resumeCount !== result.resumeCount) {
    await worker.queues.promote(jobTypes[job.data.type].queue, job.id ?? '');
  }
  throw new DelayedError();
}

/** An entry without a record of its own, which its schedule repeats. */
function isOfGateway({ name }: Job<QueuedJob>): boolean {
  return isScheduledTask(name) || name === DUE_ENTRY;
}

/** Counts faults that retries do not fix: after too many, the job rolls back. */
async function countIfFault(worker: WorkerContext, job: Job<QueuedJob>, error: unknown): Promise<void> {
  const cause = error instanceof JournalWriteError ? error.cause : error;
  const isPassing = cause instanceof SupersededError || mustWait(cause);
  if (isPassing || isRedisUnavailable(cause)) return;
  const limit = worker.config.jobs.maxFailedRuns;
  await countFault(worker.redis.store, job.id ?? '', { failure: TOO_MANY_FAULTS, limit });
}
