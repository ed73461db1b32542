import { type ClaimedJob, countJobsAhead, ProgressLog, promoteNextJob, traitsOf } from '@gateway/jobs';
import type { WorkerContext } from '../context.ts';
import type { WorkerSlot } from '../worker-slots.ts';

/** A job that must wait, with the maximum time until its next attempt. */
interface NotClaimed {
  delayMs: number;
}

const RECHECK_MS = 2_000;
const MAX_RECHECK_MS = 30_000;
/** By then another worker has taken the job, or the project has released a slot of this worker. */
const WORKER_FULL_RECHECK_MS = 500;
/** Until a job of a store that is held is tried again. */
const STORE_HELD_RECHECK_MS = 5_000;

/**
 * Claims a job when fair queueing allows its project to start one; returns `gone` when the job has ended, and
 * `held` when no worker may run it. Otherwise promotes a job of the project that comes first. Skips projects
 * whose waiting jobs are not in the queue, because they were lost or are still being added.
 */
export async function claimJob(
  { config, queues, redis, storeUse }: WorkerContext,
  job: ClaimedJob,
  { ownSlots, isLastSlot }: WorkerSlot,
): Promise<ProgressLog | 'gone' | 'held' | NotClaimed> {
  const {
    projectRunningLimit: runningLimit,
    projectUnsuccessfulLimit,
    keepSeconds,
    maxLostRuns,
  } = config.jobs;
  const limits = { runningLimit, ownSlots };
  const claim = (mayOvertake: boolean) =>
    ProgressLog.claim(job, {
      ...limits,
      redis: redis.store,
      replicatedWrite: redis.replicatedWrite,
      keepSeconds,
      unsuccessfulLimit: projectUnsuccessfulLimit,
      history: config.history,
      isWorkerFull: isLastSlot,
      lostRunsLimit: maxLostRuns,
      mayOvertake,
      storeUse,
    });
  let log = await claim(false);
  if (log === 'busy' && isLastSlot) return { delayMs: WORKER_FULL_RECHECK_MS };
  if (log === 'busy') {
    const next = await promoteNextJob(redis.store, queues, job, { ...limits, acceptReadyJob: true });
    if (next === job.projectId) log = await claim(true);
  }
  if (log === 'store-held') return { delayMs: STORE_HELD_RECHECK_MS };
  if (log !== 'busy') return log;
  return { delayMs: recheckDelayMs(await countJobsAhead(redis.store, job), runningLimit) };
}

/**
 * Lets the next waiting job start when slots are free: a job ended or was parked, or several slots were free.
 */
export async function promoteNext(
  { config, logger, queues, redis }: WorkerContext,
  job: Omit<ClaimedJob, 'id'>,
  { acceptReadyJob }: { acceptReadyJob: boolean },
): Promise<void> {
  const { queue } = traitsOf(job.type);
  const { concurrency, projectRunningLimit: runningLimit } = config.jobs;
  try {
    await promoteNextJob(redis.store, queues, job, {
      runningLimit,
      ownSlots: concurrency[queue],
      acceptReadyJob,
    });
  } catch (error) {
    // Waiting jobs also check by themselves after their delay.
    logger.debug('The next job could not be promoted', { queue, error });
  }
}

/** Waiting jobs are promoted one after the other; this delay only covers a promotion that was lost. */
function recheckDelayMs(jobsAhead: number, runningLimit: number): number {
  const rounds = 1 + Math.floor(jobsAhead / Math.max(1, runningLimit));
  return Math.min(rounds * RECHECK_MS, MAX_RECHECK_MS);
}
