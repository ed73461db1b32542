import {
  hasEnded,
  type JobRecord,
  jobTraits,
  ProgressLog,
  type QueuedJob,
  readJob,
  readQueued,
  readResumeCount,
} from '@gateway/jobs';
import type { CallContext } from '@gateway/openstack';
import { ParkedError } from '@gateway/saga';
import type { WorkerContext } from '../context.ts';
import { processorOf } from '../processors/index.ts';
import { claimInTurn, serveNext } from './claim-in-turn.ts';
import { JobCredentials } from './job-credentials.ts';
import type { JobFacts } from './job-run.ts';
import { releaseCredential } from './release-credential.ts';

/** A job that does not go on now, and when it wants to at the latest. */
export interface SetAside {
  pauseMs: number;
  /** How often it had been woken when it ran: once more by now, and it goes on at once. */
  wakes: number;
}

/**
 * Runs a job from its queue, or goes on with one that another worker left; null when it is over. A job can be
 * picked up twice: the run that claims it last owns it, and what an earlier one still writes is refused.
 */
export async function runJob(
  context: WorkerContext,
  jobId: string,
  queued: QueuedJob,
): Promise<SetAside | null> {
  const { type, projectId } = queued;
  const wakes = await readResumeCount(context.redis.store, jobId);
  const slot = context.slots.take(jobTraits[type].queue, projectId);
  try {
    const log = await claimInTurn(context, { id: jobId, type, projectId }, slot);
    if (log === 'gone') {
      await releaseUnlessSwept(context, jobId, queued);
      return null;
    }
    if (!(log instanceof ProgressLog)) return { wakes, pauseMs: log.pauseMs };
    await serveNext(context, queued, true);
    return await runClaimed(context, log, jobId, queued, wakes);
  } finally {
    slot.release();
  }
}

async function runClaimed(
  context: WorkerContext,
  log: ProgressLog,
  jobId: string,
  queued: QueuedJob,
  wakes: number,
): Promise<SetAside | null> {
  const record = await readJob(context.redis.store, jobId);
  if (record === null) {
    await releaseUnlessSwept(context, jobId, queued);
    return null;
  }
  // A process that was frozen may wake to find that somebody else has gone on: it must not send what it was about to.
  const freshMs = (context.config.jobs.lockSeconds * 1000) / 2;
  const facts = await factsOf(context, jobId, queued, () => log.assertClaimHeld(freshMs));
  facts.logger.info('A job runs');
  try {
    await processorOf(queued.type).run({ ...facts, log, abortReason: record.abortReason });
  } catch (error) {
    if (!(error instanceof ParkedError)) throw error;
    await log.releaseSlot();
    await serveNext(context, queued, false);
    return { wakes, pauseMs: error.pauseMs };
  }
  await tellEnd(facts, record);
  await releaseUnlessSwept(context, jobId, queued);
  return null;
}

/** All that is known of a job beside how far it has come. */
export async function factsOf(
  context: WorkerContext,
  jobId: string,
  queued: QueuedJob,
  beforeWrite?: CallContext['beforeWrite'],
): Promise<JobFacts> {
  const { type, payload, credentialHandle, requestId, projectId } = queued;
  const { openstack, serviceAccount } = context;
  const call: CallContext = { requestId, beforeWrite };
  const logger = context.logger.child({
    job_id: jobId,
    job_type: type,
    request_id: requestId,
    project_id: projectId,
  });
  const identity = await context.credentials.get(credentialHandle);
  const credentials = new JobCredentials({
    openstack,
    serviceAccount,
    credential: identity,
    projectId,
    call,
    logger,
  });
  return { context, jobId, type, payload, projectId, identity, credentials, call, logger };
}

/** What is to be swept up is swept up with it. When this fails, it is what the job's next run is for. */
async function releaseUnlessSwept(context: WorkerContext, jobId: string, queued: QueuedJob): Promise<void> {
  if ((await readQueued(context.redis.store, jobId)) === null) await releaseCredential(context, queued);
}

/** The end of a job gives room to the next one. */
async function tellEnd(
  { context, jobId, type, projectId, logger }: JobFacts,
  begun: JobRecord,
): Promise<void> {
  const ended = await readJob(context.redis.store, jobId);
  const outcome = ended !== null && hasEnded(ended) ? ended.status : 'failed';
  const durationMs = Date.now() - begun.createdAt;
  context.metrics.jobFinished({
    type,
    outcome: outcome as 'completed' | 'failed' | 'cancelled',
    durationSeconds: durationMs / 1000,
  });
  logger.info('A job has ended', { outcome, duration_ms: durationMs, leftovers: ended?.leftovers.length });
  await serveNext(context, { type, projectId }, false);
}
