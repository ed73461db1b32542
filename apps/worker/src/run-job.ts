import { hasEnded, type JobType, ProgressLog, type QueuedJob, readJob } from '@gateway/jobs';
import type { WorkerContext } from './context.ts';
import type { JobRun, Processor } from './job-run.ts';
import { processors } from './processors/index.ts';

/**
 * Runs a job from its queue, or goes on with one that another worker left. A job can be picked up twice: the
 * run that claims it last owns it, and what an earlier one still writes is refused.
 */
export async function runJob(context: WorkerContext, jobId: string, queued: QueuedJob): Promise<void> {
  const { redis, config } = context;
  const log = await ProgressLog.claim(jobId, { redis: redis.store, keepSeconds: config.jobs.keepSeconds });
  const record = await readJob(redis.store, jobId);
  if (log === null || record === null || hasEnded(record)) return;
  const { type, payload, credentialHandle, requestId, projectId } = queued;
  const run: JobRun = {
    context,
    jobId,
    type,
    payload,
    projectId,
    identity: await context.credentials.get(credentialHandle),
    call: { requestId },
    log,
    logger: context.logger.child({
      job_id: jobId,
      job_type: type,
      request_id: requestId,
      project_id: projectId,
    }),
    createdAt: record.createdAt,
  };
  run.logger.info('A job runs');
  await processorOf(type)(run);
  await context.credentials.remove(credentialHandle);
  const ended = await readJob(redis.store, jobId);
  const outcome = ended !== null && hasEnded(ended) ? ended.status : 'failed';
  const durationMs = Date.now() - record.createdAt;
  context.metrics.jobFinished({
    type,
    outcome: outcome as 'completed' | 'failed' | 'cancelled',
    durationSeconds: durationMs / 1000,
  });
  run.logger.info('A job has ended', {
    outcome,
    duration_ms: durationMs,
    leftovers: ended?.leftovers.length,
  });
}

/** The catalog ties a job's type to its payload; a queue can not tell that to the compiler. */
function processorOf(type: JobType): Processor<JobType> {
  return processors[type] as Processor<JobType>;
}
