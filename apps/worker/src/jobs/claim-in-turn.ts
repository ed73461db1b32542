import { type ClaimedJob, countJobsAhead, jobTraits, ProgressLog, promoteNextJob } from '@gateway/jobs';
import type { WorkerContext } from '../context.ts';
import type { WorkerSlot } from '../slots.ts';

/** A job that is not claimed now, and when it wants to be at the latest. */
export interface NotNow {
  pauseMs: number;
}

const TURN_MS = 2_000;
const LONGEST_TURN_MS = 30_000;
/** Until another worker, or a slot that its project has given up here, may take the job. */
const FULL_MS = 500;

/**
 * Claims a job when it is its project's turn; `gone` when it is over. A job of a project whose turn comes first is woken
 * in its place; where that project has none in the queue (it was lost, or is just on its way), the next project is served.
 */
export async function claimInTurn(
  context: WorkerContext,
  job: ClaimedJob,
  { ownSlots, isLastOne }: WorkerSlot,
): Promise<ProgressLog | 'gone' | NotNow> {
  const { config, queues, redis } = context;
  const limits = { runningLimit: config.jobs.projectRunningLimit, ownSlots };
  const options = {
    ...limits,
    redis: redis.store,
    replicatedWrite: redis.replicatedWrite,
    keepSeconds: config.jobs.keepSeconds,
    isWorkerFull: isLastOne,
  };
  let log = await ProgressLog.claim(job, options);
  if (log === 'busy' && isLastOne) return { pauseMs: FULL_MS };
  if (log === 'busy') {
    const next = await promoteNextJob(redis.store, queues, job, { ...limits, acceptReadyJob: true });
    if (next === job.projectId) log = await ProgressLog.claim(job, { ...options, mayOvertake: true });
  }
  return log === 'busy' ? { pauseMs: await pauseForTurn(context, job) } : log;
}

/** Slots are free for the next ones: because a job has ended or is parked, or because there were more than one. */
export async function serveNext(
  { config, logger, queues, redis }: WorkerContext,
  job: Omit<ClaimedJob, 'id'>,
  acceptReadyJob: boolean,
): Promise<void> {
  const { queue } = jobTraits[job.type];
  const { concurrency, projectRunningLimit: runningLimit } = config.jobs;
  const limits = { runningLimit, ownSlots: concurrency[queue] };
  try {
    await promoteNextJob(redis.store, queues, job, { ...limits, acceptReadyJob });
  } catch (error) {
    // They look by themselves after their pause.
    logger.debug('The next job could not be woken', { queue, error });
  }
}

/** The jobs of a project are woken one after the other; this is for a wake that was lost. */
async function pauseForTurn(context: WorkerContext, job: ClaimedJob): Promise<number> {
  const rank = await countJobsAhead(context.redis.store, job);
  const rounds = 1 + Math.floor(rank / Math.max(1, context.config.jobs.projectRunningLimit));
  return Math.min(rounds * TURN_MS, LONGEST_TURN_MS);
}
