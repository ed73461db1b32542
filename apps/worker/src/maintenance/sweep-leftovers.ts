import { isKnownJobType, readQueued, readSweep, SweepLog, sweptJobs } from '@gateway/jobs';
import pLimit from 'p-limit';
import type { WorkerContext } from '../context.ts';
import { sweepFor } from '../jobs/end-saga-job.ts';
import { createJobContext } from '../jobs/job-context.ts';
import { releaseCredential } from '../jobs/release-credential.ts';
import { traceRun } from '../jobs/trace-job.ts';
import { processorOf } from '../processors/index.ts';

/** A resource that cannot be deleted takes a slot while the sweep waits for it. */
const CONCURRENCY = 10;

/**
 * Tries again to remove the leftovers of ended jobs, and finds resources that late calls created.
 * See decision 3.
 */
export async function sweepLeftovers(context: WorkerContext): Promise<void> {
  const { logger, redis, stopping } = context;
  await pLimit(CONCURRENCY).map(await sweptJobs(redis.store), async (jobId) => {
    if (stopping.signal.aborted) return;
    try {
      await sweepJob(context, jobId);
    } catch (error) {
      logger.warn('Leftovers of a job could not be swept yet', { job_id: jobId, error });
    }
  });
}

async function sweepJob(context: WorkerContext, jobId: string): Promise<void> {
  const redis = context.redis.store;
  const sweep = await readSweep(redis, jobId);
  if (sweep === null) return;
  const { keepSeconds, projectUnsuccessfulLimit: unsuccessfulLimit } = context.config.jobs;
  const log = new SweepLog(jobId, { redis, keepSeconds, unsuccessfulLimit });
  const queued = await readQueued(redis, jobId);
  // A newer worker sweeps jobs of types that only it knows.
  if (queued !== null && !isKnownJobType(queued.type)) return;
  const process = queued === null ? undefined : processorOf(queued.type).sweep;
  if (queued === null || process === undefined) {
    await log.close([], null);
    return;
  }
  const job = await createJobContext(context, jobId, queued, { onlyRemoves: true });
  // Only a check that starts after the deadline, and succeeds, sees every late resource.
  const checkedAt = Date.now();
  const outcome = await traceRun(context.tracing, 'sweep', { jobId, queued }, () => process(job, log));
  const { hasFailedSearch = false } = outcome;
  const isUncertain = outcome.isUncertain && (hasFailedSearch || checkedAt < sweep.searchUntil);
  const rest = sweepFor({ ...outcome, isUncertain }, sweep.searchUntil);
  if (rest === null) await releaseCredential(context, queued);
  await log.close(outcome.leftovers, rest);
  const { length } = outcome.leftovers;
  if (length !== sweep.leftovers)
    job.logger.info('Leftovers swept', { before: sweep.leftovers, now: length });
}
