import type { QueueName } from '@gateway/config';
import type { Redis } from '@gateway/redis';
import { queueNames } from '../queues/queues.ts';
import { fairQueueingArgs, fairQueueingKeys } from './fair-queueing.ts';
import { queueLoadScript } from './queue-load-script.ts';

export interface QueueLoad {
  /** Number of live workers. */
  workers: number;
  /** Number of jobs that they can run at once. */
  slots: number;
  /** Number of jobs that run, or could run at once if there were enough workers. */
  wantedSlots: number;
  /** Age of the oldest job that has not begun; 0 without one. */
  oldestWaitingSeconds: number;
}

/**
 * The load of all queues, for metrics. `runningLimit` is the maximum of running jobs of one project; 0 for
 * none.
 */
export async function readQueueLoads(
  redis: Redis,
  runningLimit: number,
): Promise<Record<QueueName, QueueLoad>> {
  const entries = await Promise.all(
    queueNames.map(async (queue) => {
      const args = fairQueueingArgs({ runningLimit }, '');
      const result = await queueLoadScript.run(redis, fairQueueingKeys(queue), args);
      const [workers = 0, slots = 0, wantedSlots = 0, oldestMs = 0] = result as number[];
      return [queue, { workers, slots, wantedSlots, oldestWaitingSeconds: oldestMs / 1000 }] as const;
    }),
  );
  return Object.fromEntries(entries) as Record<QueueName, QueueLoad>;
}
