import type { QueueName } from '@gateway/platform';
import type { Redis } from '@gateway/store';
import { jobKeys } from '../keys.ts';
import { queueNames } from '../queues/queues.ts';
import { slotsOf } from './worker-slots.ts';

export interface QueueLoad {
  /** Number of live workers. */
  workers: number;
  /** Number of jobs that they can run at once. */
  slots: number;
  /**
   * Number of jobs that run, or could run at once if there were enough workers: neither parked jobs nor those
   * above the limit of their project.
   */
  wantedSlots: number;
  /** Age of the oldest job that has not begun; 0 without one. */
  oldestWaitingSeconds: number;
}

/** The load of all queues, for metrics. Only reads, so a server that refuses writes still has metrics. */
export async function readQueueLoads(redis: Redis): Promise<Record<QueueName, QueueLoad>> {
  const entries = await Promise.all(
    queueNames.map(async (queue) => [queue, await readQueueLoad(redis, queue)] as const),
  );
  return Object.fromEntries(entries) as Record<QueueName, QueueLoad>;
}

async function readQueueLoad(redis: Redis, queue: QueueName): Promise<QueueLoad> {
  const [[seconds, microseconds], slots, running, ready, oldest] = await Promise.all([
    redis.time(),
    redis.zrange(jobKeys.slots(queue), 0, '-1', 'WITHSCORES'),
    redis.zcard(jobKeys.running(queue)),
    redis.zcard(jobKeys.ready(queue)),
    redis.zrange(jobKeys.waiting(queue), 0, '0', 'WITHSCORES'),
  ]);
  const now = Number(seconds) * 1000 + Number(microseconds) / 1000;
  const live = slotsOf(slots, now);
  return {
    workers: live.length,
    slots: live.reduce((sum, count) => sum + count, 0),
    wantedSlots: running + ready,
    oldestWaitingSeconds: oldest[1] === undefined ? 0 : Math.max(0, (now - Number(oldest[1])) / 1000),
  };
}
