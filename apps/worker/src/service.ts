import { setTimeout as delay } from 'node:timers/promises';
import { claimStore, endStoreUse, type ProcessParts, untilJobsRun, useStore } from '@gateway/context';
import { closeServer, createWebServer, listen, type QueueName, type Service } from '@gateway/platform';
import { waitUntilReady } from '@gateway/store';
import { createContext, type WorkerContext } from './context.ts';
import { createHealthHandler } from './health.ts';
import { keepTasksScheduled } from './maintenance/keep-tasks-scheduled.ts';
import { watchWebhooks } from './maintenance/watch-webhooks.ts';
import { startWorkers, type Workers } from './queues/workers.ts';

interface WorkerServiceParts extends ProcessParts {
  queues: readonly QueueName[];
}

interface WorkerService extends Service {
  readonly context: WorkerContext;
}

/** Time for health and metrics requests in flight at shutdown. */
const HEALTH_GRACE_MS = 500;

/** How long a start waits for Redis. After that the worker takes jobs as soon as Redis is available. */
const REDIS_WAIT_MS = 2_000;

/** How long it waits for an answer of a Redis that is available. */
const CLAIM_WAIT_MS = 10_000;

export function createWorkerService(parts: WorkerServiceParts): WorkerService {
  const { config, logger, metrics, queues } = parts;
  const context = createContext(parts);
  const health = createWebServer({ tls: config.listen, logger, metrics }, createHealthHandler(context));
  let workers: Workers | null = null;

  async function takeJobs(): Promise<void> {
    if (context.stopping.signal.aborted) return;
    workers = await startWorkers(context, queues);
    if (queues.includes('maintenance')) {
      const schedule = keepTasksScheduled(context);
      context.closers.add('schedule', async () => schedule.close());
      const watch = watchWebhooks(context);
      context.closers.add('watch of webhooks', () => watch.close());
    }
  }

  return {
    context,
    async start() {
      const address = await listen(health, { host: config.listen.host, port: config.listen.workerPort });
      const isReady = await waitUntilReady(context.redis.store, REDIS_WAIT_MS);
      const { signal } = context.stopping;
      const using = claimStore(context, signal).then(() => useStore(context, signal));
      const taking = using.then(() => untilJobsRun(context, signal)).then(takeJobs);
      if (isReady) await Promise.race([using, delay(CLAIM_WAIT_MS, undefined, { ref: false })]);
      // If the store turns out to be another gateway's later, the unhandled rejection ends the process.
      void taking.then();
      logger.info('Worker started', { queues, ...address });
    },
    async close() {
      // Running jobs are released at their next safe point; other workers resume them.
      context.stopping.abort();
      await workers?.close();
      await closeServer(health, { graceMs: HEALTH_GRACE_MS });
      await context.closers.closeInReverse();
    },
    giveUp: () => endStoreUse(context),
  };
}
