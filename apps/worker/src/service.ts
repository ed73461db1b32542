import { createServer } from 'node:http';
import type { Config, QueueName } from '@gateway/config';
import { closeServer, listen, type Service } from '@gateway/runtime';
import type { Logger, Metrics } from '@gateway/telemetry';
import { createContext } from './context.ts';
import { createHealthHandler } from './health.ts';
import { scheduleRoutines } from './upkeep/routines.ts';
import { startWorkers, type Workers } from './workers.ts';

export interface WorkerServiceParts {
  config: Config;
  logger: Logger;
  metrics: Metrics;
  queues: readonly QueueName[];
}

/** Time the small HTTP server gets for a scrape it is just answering. */
const HEALTH_GRACE_MS = 500;

export function createWorkerService(parts: WorkerServiceParts): Service {
  const { config, logger, queues } = parts;
  const context = createContext(parts);
  const health = createServer(createHealthHandler(context));
  let workers: Workers | null = null;

  return {
    async start() {
      const address = await listen(health, { host: config.listen.host, port: config.listen.workerPort });
      workers = startWorkers(context, queues);
      // Waits for a Redis that is away; the worker has started all the same.
      if (queues.includes('upkeep')) {
        scheduleRoutines(context).catch((error: unknown) => {
          if (!context.stopping.signal.aborted)
            logger.error('Recurring work could not be scheduled', { error });
        });
      }
      logger.info('The worker takes jobs', { queues, ...address });
    },
    async close() {
      // Jobs see this at their next safe point and are handed back; whoever is left takes them up.
      context.stopping.abort();
      await workers?.close();
      await closeServer(health, { graceMs: HEALTH_GRACE_MS });
      await context.closers.closeInReverse();
    },
  };
}
