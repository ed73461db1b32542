import { readQueued, readSweeps, type Sweep, SweepLog } from '@gateway/jobs';
import type { WorkerContext } from '../context.ts';
import { sweepFor } from '../jobs/end-saga-job.ts';
import { releaseCredential } from '../jobs/release-credential.ts';
import { factsOf } from '../jobs/run-job.ts';
import { processorOf } from '../processors/index.ts';

/** Tries again to remove what ended jobs have left behind, and looks for what came late. One job after the other. */
export async function sweepLeftovers(context: WorkerContext): Promise<void> {
  for (const [jobId, sweep] of await readSweeps(context.redis.store)) {
    if (context.stopping.signal.aborted) return;
    try {
      await sweepJob(context, jobId, sweep);
    } catch (error) {
      context.logger.warn('A job could not be swept up yet', { job_id: jobId, error });
    }
  }
}

async function sweepJob(context: WorkerContext, jobId: string, sweep: Sweep): Promise<void> {
  const redis = context.redis.store;
  const log = new SweepLog(jobId, { redis, keepSeconds: context.config.jobs.keepSeconds });
  const queued = await readQueued(redis, jobId);
  const process = queued === null ? undefined : processorOf(queued.type).sweep;
  if (queued === null || process === undefined) {
    await log.close([], null);
    return;
  }
  const facts = await factsOf(context, jobId, queued);
  // Only a look that began after the time was up has seen all that could come.
  const lookedAt = Date.now();
  const outcome = await process(facts, log);
  const isUncertain = outcome.isUncertain && lookedAt < sweep.lookUntil;
  const rest = sweepFor({ ...outcome, isUncertain }, sweep.lookUntil);
  if (rest === null) await releaseCredential(context, queued);
  await log.close(outcome.leftovers, rest);
  const { length } = outcome.leftovers;
  if (length !== sweep.leftovers)
    facts.logger.info('Leftovers were swept up', { before: sweep.leftovers, now: length });
}
