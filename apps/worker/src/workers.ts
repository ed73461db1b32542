import type { QueueName } from '@gateway/config';
import { type QueuedJob, queuePrefix, retryDelayMs } from '@gateway/jobs';
import { Worker } from 'bullmq';
import type { WorkerContext } from './context.ts';
import { handleJob } from './jobs/handle-job.ts';
import { keepSlotsAnnounced } from './slots.ts';

export interface Workers {
  /** Takes no more jobs and waits for the running ones to end or to be handed back. */
  close(): Promise<void>;
}

/** A job may lose its worker any number of times: its journal, not a counter, says when it is over. */
const UNLIMITED = 1_000_000;
/** A worker that died is noticed within its lock's time and one such part of it. */
const STALLED_LOOKS_PER_LOCK = 3;

/** One worker per queue, each running several jobs at once. */
export function startWorkers(context: WorkerContext, queues: readonly QueueName[]): Workers {
  const { config, logger, redis } = context;
  const lockMs = config.jobs.lockSeconds * 1000;
  const workers = queues.map((queue) => {
    const worker = new Worker<QueuedJob>(queue, (job, token) => handleJob(context, job, token), {
      connection: redis.queue,
      prefix: queuePrefix(config.redis.keyPrefix, queue),
      concurrency: config.jobs.concurrency[queue],
      lockDuration: lockMs,
      // Redis takes whole milliseconds only, and a look that it refuses is none.
      stalledInterval: Math.ceil(lockMs / STALLED_LOOKS_PER_LOCK),
      maxStalledCount: UNLIMITED,
      settings: { backoffStrategy: retryDelayMs },
    });
    worker.on('error', (error) => logger.debug('A queue reported an error', { queue, error }));
    worker.on('failed', (job, error) =>
      logger.warn('A run of a job was cut off; it is tried again', { queue, job_id: job?.id, error }),
    );
    return worker;
  });
  const announced = keepSlotsAnnounced(redis.store, queues, config.jobs);
  return {
    async close() {
      // With Redis away there is nobody to hand a job back to: it is taken up when its lock has run out.
      const force = !redis.isReady();
      await Promise.all([...workers.map((worker) => worker.close(force)), force ? null : announced.close()]);
    },
  };
}
