import { readQueued, readSweeps, type Sweep, SweepLog } from '@gateway/jobs';
import type { WorkerContext } from '../context.ts';
import { sweepFor } from '../jobs/end-saga-job.ts';
import { createJobContext } from '../jobs/job-context.ts';
import { releaseCredential } from '../jobs/release-credential.ts';
import { traceRun } from '../jobs/trace-job.ts';
import { processorOf } from '../processors/index.ts';

/** Tries again to remove the leftovers of ended jobs, and finds resources that late calls created. One job at a time. */
export async function sweepLeftovers(context: WorkerContext): Promise<void> {
  for (const [jobId, sweep] of await readSweeps(context.redis.store)) {
    if (context.stopping.signal.aborted) return;
    try {
      await sweepJob(context, jobId, sweep);
    } catch (error) {
      context.logger.warn('Leftovers of a job could not be swept yet', { job_id: jobId, error });
    }
  }
}

async function sweepJob(context: WorkerContext, jobId: string, sweep: Sweep): Promise<void> {
  const redis = context.redis.store;
  const { keepSeconds, projectUnsuccessfulLimit: unsuccessfulLimit } = context.config.jobs;
  const log = new SweepLog(jobId, { redis, keepSeconds, unsuccessfulLimit });
  const queued = await readQueued(redis, jobId);
  const process = queued === null ? undefined : processorOf(queued.type).sweep;
  if (queued === null || process === undefined) {
    await log.close([], null);
    return;
  }
  const job = await createJobContext(context, jobId, queued);
  // Only a check that starts after the deadline sees every late resource.
  const checkedAt = Date.now();
  const outcome = await traceRun(context.tracing, 'sweep', { jobId, queued }, () => process(job, log));
  const isUncertain = outcome.isUncertain && checkedAt < sweep.lookUntil;
  const rest = sweepFor({ ...outcome, isUncertain }, sweep.lookUntil);
  if (rest === null) await releaseCredential(context, queued);
  await log.close(outcome.leftovers, rest);
  const { length } = outcome.leftovers;
  if (length !== sweep.leftovers)
    job.logger.info('Leftovers swept', { before: sweep.leftovers, now: length });
}
