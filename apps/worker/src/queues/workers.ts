import { type QueuedJob, queuePrefix, retryDelayMs } from '@gateway/jobs';
import type { QueueName } from '@gateway/platform';
import { answersInfo } from '@gateway/store';
import { UnrecoverableError, Worker } from 'bullmq';
import type { WorkerContext } from '../context.ts';
import { keepSlotsRegistered } from '../worker-slots.ts';
import { handleJob } from './handle-job.ts';

export interface Workers {
  /** Takes no more jobs and waits until the running jobs have ended or are released. */
  close(): Promise<void>;
}

/** A job may lose its worker any number of times: its journal decides when it ends, not a counter. */
const UNLIMITED = 1_000_000;
/** A dead worker is detected at most 4/3 of its lock's time later. */
const STALLED_CHECKS_PER_LOCK = 3;

/** Starts one BullMQ worker per queue; each runs several jobs at once. */
export async function startWorkers(context: WorkerContext, queues: readonly QueueName[]): Promise<Workers> {
  const { config, logger, redis } = context;
  // Without the version, BullMQ takes the server for an old one, and entries up to a second late.
  const skipVersionCheck = !(await answersInfo(redis.queue));
  const lockMs = config.jobs.lockSeconds * 1000;
  const workers = queues.map((queue) => {
    const worker = new Worker<QueuedJob>(queue, (job, token) => handleJob(context, job, token), {
      connection: redis.queue,
      prefix: queuePrefix(config.redis.keyPrefix, queue),
      skipVersionCheck,
      concurrency: config.jobs.concurrency[queue],
      lockDuration: lockMs,
      // Redis accepts only whole milliseconds and would refuse the check otherwise.
      stalledInterval: Math.ceil(lockMs / STALLED_CHECKS_PER_LOCK),
      maxStalledCount: UNLIMITED,
      settings: { backoffStrategy: retryDelayMs },
    });
    worker.on('error', (error) => logger.debug('A queue reported an error', { queue, error }));
    worker.on('failed', (job, error) => {
      // The end of a job is logged with it.
      if (error instanceof UnrecoverableError) return;
      logger.warn('Job run failed and will be retried', { queue, job_id: job?.id, error });
    });
    return worker;
  });
  const registration = keepSlotsRegistered(redis.store, queues, config.jobs);
  return {
    async close() {
      // While Redis is unavailable, jobs cannot be released: another worker takes them when their locks
      // expire.
      const force = !redis.isReady();
      await Promise.all([...workers, registration].map((one) => one.close(force)));
    },
  };
}
