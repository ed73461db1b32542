import type { Queues } from '@gateway/jobs';
import { type Config, createLogger } from '@gateway/platform';
import type { RedisConnections } from '@gateway/store';
import type { WorkerContext } from '../../../../apps/worker/src/context.ts';
import { restoreLostJobs } from '../../../../apps/worker/src/maintenance/restore-lost-jobs.ts';
import { sweepLeftovers } from '../../../../apps/worker/src/maintenance/sweep-leftovers.ts';
import { type Row, rowWithoutBudget } from '../../row.ts';
import { commands } from '../queue/redis-figures.ts';

/** One round of the scheduled tasks that read jobs, as a worker runs them once per `jobs.sweep_seconds`. */
export async function maintenanceRound(redis: RedisConnections, queues: Queues, among: string): Promise<Row> {
  const context = {
    // Jobs of any age, which a real round reads once they are older than three locks.
    config: { jobs: { lockSeconds: 0 } } as Config,
    redis,
    queues,
    logger: createLogger({ level: 'warn', format: 'json', service: 'worker' }),
    stopping: new AbortController(),
  } as WorkerContext;
  const before = await commands(redis);
  const started = performance.now();
  await restoreLostJobs(context);
  await sweepLeftovers(context);
  const took = performance.now() - started;
  const count = (await commands(redis)) - before;
  return rowWithoutBudget('a round of maintenance', 'ms', took, `${count} commands to Redis, ${among}`);
}
