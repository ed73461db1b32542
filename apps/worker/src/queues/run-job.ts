import {
  admitBlockedJobs,
  announceHold,
  BLOCKED_RECHECK_MS,
  hasEnded,
  type JobFailure,
  type JobRecord,
  ProgressLog,
  type QueuedJob,
  readBeforeClaim,
  readJob,
  readQueued,
  readSweep,
  traitsOf,
  UsualDurations,
} from '@gateway/jobs';
import type { FailureCause } from '@gateway/platform';
import type { WorkerContext } from '../context.ts';
import { createJobContext, type JobContext } from '../jobs/job-context.ts';
import { releaseCredential } from '../jobs/release-credential.ts';
import { traceRun } from '../jobs/trace-job.ts';
import { processorOf } from '../processors/index.ts';
import { mustWait, ParkedError } from '../saga/index.ts';

/**
 * From so many lost runs in a row on, a job is suspected of ending its workers. A process runs one such job
 * at a time, so that jobs which were lost with it come further, and are not held in its place.
 */
const SUSPECT_LOST_RUNS = 2;
const SUSPECT_RECHECK_MS = 2_000;
/** A job that is released is resumed at once. */
const HELD_RECHECK_MS = 3_600_000;
/** Until a job of a store that is held is tried again. */
const STORE_HELD_RECHECK_MS = 5_000;

/** A job that returns to its queue: it is parked or held, or waits until its project runs fewer jobs. */
export interface Deferral {
  /** The job runs again after this time at the latest. */
  delayMs: number;
  /**
   * How often the job had been resumed when this run began. If the count has grown since, it runs again at
   * once.
   */
  resumeCount: number;
}

/** How a job has ended, for the tools of BullMQ. */
export interface JobEnd {
  /** `gone` without a record, as of a job that was withdrawn. */
  status: JobRecord['status'] | 'gone';
  failure: JobFailure | null;
}

/**
 * Runs a job from its queue, or continues one that another worker released. Two workers can receive the same
 * job: the run that claimed it last owns it, and later writes of the earlier run are refused.
 */
export async function runJob(
  worker: WorkerContext,
  jobId: string,
  queued: QueuedJob,
): Promise<Deferral | JobEnd> {
  const { lostRuns, resumeCount } = await readBeforeClaim(worker.redis.store, jobId);
  const endSuspicion = lostRuns < SUSPECT_LOST_RUNS ? () => {} : worker.suspectRuns.begin();
  if (endSuspicion === null) return { resumeCount, delayMs: SUSPECT_RECHECK_MS };
  try {
    const log = await claimJob(worker, jobId, queued);
    if (log === 'store-held') return { resumeCount, delayMs: STORE_HELD_RECHECK_MS };
    if (log === 'busy') return { resumeCount, delayMs: BLOCKED_RECHECK_MS };
    if (log === 'held') {
      await reportHold(worker, jobId, queued);
      await admitOthers(worker, queued);
      return { resumeCount, delayMs: HELD_RECHECK_MS };
    }
    if (log === 'gone') {
      await releaseUnlessSwept(worker, jobId, queued);
      // The worker that ended the job may have died before it admitted others.
      await admitOthers(worker, queued, { isRepeated: true });
      return endOf(await readJob(worker.redis.store, jobId));
    }
    const ran = await traceRun(worker.tracing, 'job', { jobId, queued }, () =>
      runClaimed(worker, log, jobId, queued),
    );
    return typeof ran === 'number' ? { resumeCount, delayMs: ran } : ran;
  } finally {
    endSuspicion();
  }
}

function claimJob({ config, queues, redis, storeUse }: WorkerContext, id: string, queued: QueuedJob) {
  const { type, projectId } = queued;
  const { keepSeconds, maxLostRuns, projectUnsuccessfulLimit } = config.jobs;
  return ProgressLog.claim(
    { id, type, projectId },
    {
      runningLimit: queues.runningLimits[traitsOf(type).queue],
      redis: redis.store,
      keepSeconds,
      unsuccessfulLimit: projectUnsuccessfulLimit,
      history: config.history,
      lostRunsLimit: maxLostRuns,
      storeUse,
    },
  );
}

/** Lets other jobs of the project begin. If that fails, the run is repeated, and finds its job gone. */
function admitOthers(
  { queues, redis }: WorkerContext,
  queued: QueuedJob,
  { isRepeated }: { isRepeated: boolean } = { isRepeated: false },
): Promise<void> {
  return admitBlockedJobs(redis.store, queues, queued, { isRepeated });
}

function endOf(record: JobRecord | null): JobEnd {
  return { status: record?.status ?? 'gone', failure: record?.failure ?? null };
}

/** Says once that the job is held. It stays in its queue, and is resumed when it is released. */
async function reportHold(
  { logger, redis }: WorkerContext,
  jobId: string,
  { projectId, type }: QueuedJob,
): Promise<void> {
  const record = await readJob(redis.store, jobId);
  if (!record?.hold || !(await announceHold(redis.store, jobId, record.hold))) return;
  const { hold, lostRuns, step } = record;
  const fields = { job_id: jobId, job_type: type, project_id: projectId, step };
  if (hold.reason === 'administrator') logger.info('A job is held by an administrator', fields);
  else
    logger.error('A job is held: its runs were lost with their workers', { ...fields, lost_runs: lostRuns });
}

/** Returns the number of milliseconds for which the job is parked, unless it has ended. */
async function runClaimed(
  worker: WorkerContext,
  log: ProgressLog,
  jobId: string,
  queued: QueuedJob,
): Promise<number | JobEnd> {
  let ended: JobRecord | null = null;
  try {
    const [record, usual] = await Promise.all([
      readJob(worker.redis.store, jobId),
      UsualDurations.read(worker.redis.store, queued.type),
    ]);
    if (record !== null) {
      log.continueBar(record, usual);
      ended = await runRead(worker, log, record, queued);
    }
  } catch (error) {
    if (!mustWait(error)) {
      // If that fails, the next claim takes the run for one that was lost with its worker.
      await log.closeRun().catch(() => {});
      throw error;
    }
    await log.releaseSlot();
    await admitOthers(worker, queued);
    if (error instanceof ParkedError) return error.pauseMs;
    throw error;
  }
  await releaseUnlessSwept(worker, jobId, queued);
  await admitOthers(worker, queued);
  return endOf(ended);
}

async function runRead(
  worker: WorkerContext,
  log: ProgressLog,
  record: JobRecord,
  queued: QueuedJob,
): Promise<JobRecord | null> {
  if (log.isFirstRun) {
    worker.metrics.jobBegun({ type: queued.type, waitSeconds: (Date.now() - record.createdAt) / 1000 });
  }
  // A frozen process may continue after another worker took its job: it checks the claim before each write to
  // a service.
  const freshMs = (worker.config.jobs.lockSeconds * 1000) / 2;
  const job = await createJobContext(worker, record.id, queued, {
    beforeWrite: () => log.assertClaimHeld(freshMs),
    onlyRemoves: record.cancelRequested,
  });
  job.logger.info('Job run started');
  // Whoever has run the job before this process used the store may have done more than the store has.
  const mayBeBehind = !log.isFirstRun || record.createdAt < worker.storeUse.since;
  await processorOf(queued.type).run({ ...job, log, abortReason: record.abortReason, mayBeBehind });
  return reportEnd(job, record);
}

/**
 * Releases the credential of an ended job, unless the sweeper still needs it and releases it later. After a
 * failure the job's next run tries again.
 */
async function releaseUnlessSwept(worker: WorkerContext, jobId: string, queued: QueuedJob): Promise<void> {
  const isSwept = (await readQueued(worker.redis.store, jobId)) !== null;
  if (!isSwept || (await needsNoRights(worker, jobId, queued))) await releaseCredential(worker, queued);
}

/**
 * Whether the service user can sweep a job that its user has seen complete: only duplicates may come, and
 * none that only their owner sees. The end of the rights then shows the end of the job, also if the store is
 * set back before the sweeps are over.
 */
async function needsNoRights(
  { logger, redis, serviceAccount }: WorkerContext,
  jobId: string,
  { projectId, requestId }: QueuedJob,
): Promise<boolean> {
  const [ended, sweep] = await Promise.all([readJob(redis.store, jobId), readSweep(redis.store, jobId)]);
  if (ended?.status !== 'completed' || ended.leftovers.length > 0 || sweep?.needsOwner) return false;
  try {
    return (await serviceAccount.identityForProject(projectId, { requestId })) !== null;
  } catch (error) {
    logger.warn('A job keeps its rights for its sweeps: the service user cannot log in', {
      job_id: jobId,
      error,
    });
    return false;
  }
}

/** Logs and measures the end of a job, and returns its record. */
async function reportEnd(
  { worker, jobId, type, logger }: JobContext,
  begun: JobRecord,
): Promise<JobRecord | null> {
  const ended = await readJob(worker.redis.store, jobId);
  const outcome = ended !== null && hasEnded(ended) ? ended.status : 'failed';
  const durationMs = Date.now() - begun.createdAt;
  worker.metrics.jobFinished({
    type,
    outcome: outcome as 'completed' | 'failed' | 'cancelled',
    cause: outcome === 'failed' ? causeOf(ended?.failure) : 'none',
    durationSeconds: durationMs / 1000,
  });
  const span = worker.tracing?.active();
  span?.set({ 'gateway.job.outcome': outcome });
  if (outcome === 'failed') span?.fail(ended?.failure?.code ?? 'failed');
  logger.record('Job ended', {
    outcome,
    resource_id: ended?.resourceId,
    duration_ms: durationMs,
    leftovers: ended?.leftovers.length,
  });
  return ended;
}

/** A status below 500 is the doing of the user: a quota, a name in use, a role that was lost. */
function causeOf(failure: JobFailure | null | undefined): FailureCause {
  return failure != null && failure.status < 500 ? 'refused' : 'fault';
}
