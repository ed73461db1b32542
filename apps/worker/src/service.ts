import { createServer } from 'node:http';
import type { QueueName } from '@gateway/config';
import type { ProcessParts } from '@gateway/dependencies';
import { closeServer, listen, type Service } from '@gateway/runtime';
import { createContext } from './context.ts';
import { createHealthHandler } from './health.ts';
import { scheduleTasks } from './maintenance/scheduled-tasks.ts';
import { startWorkers, type Workers } from './queues/workers.ts';

interface WorkerServiceParts extends ProcessParts {
  queues: readonly QueueName[];
}

/** Time for health and metrics requests in flight at shutdown. */
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
      // Not awaited: while Redis is unavailable the worker still starts.
      if (queues.includes('maintenance')) {
        scheduleTasks(context).catch((error: unknown) => {
          if (!context.stopping.signal.aborted) logger.error('Maintenance could not be scheduled', { error });
        });
      }
      logger.info('Worker started', { queues, ...address });
    },
    async close() {
      // Running jobs are released at their next safe point; other workers resume them.
      context.stopping.abort();
      await workers?.close();
      await closeServer(health, { graceMs: HEALTH_GRACE_MS });
      await context.closers.closeInReverse();
    },
  };
}
