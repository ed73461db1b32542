import type { QueueName } from '@gateway/config';
import type { Redis } from '@gateway/redis';
import { queueNames } from '../queues/queues.ts';
import { FAIR_QUEUEING, fairQueueingArgs, fairQueueingKeys } from './fair-queueing.ts';

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
 * KEYS and ARGV: those of `FAIR_QUEUEING`. Parked jobs do not count: they need no slot. Jobs above the limit of their
 * project do not count either: more workers would not run them.
 * Returns live workers, slots, wanted slots and the age of the oldest waiting job in milliseconds.
 */
const LOAD_SCRIPT = `${FAIR_QUEUEING}
  local record, waitingProjects, running, _, slotsKey = unpack(KEYS)
  local limit, now = tonumber(ARGV[1]), nowMs()
  local slots = countSlots(slotsKey, 0)
  dropStale(KEYS)
  local wanted, oldestAt = redis.call('ZCARD', running), now
  for _, project in ipairs(redis.call('SMEMBERS', waitingProjects)) do
    local waiting = waitingProjects .. ':' .. project
    local oldest = oldestWaiting(record, waiting)
    if oldest[1] then
      oldestAt = math.min(oldestAt, tonumber(oldest[2]))
      local count = redis.call('ZCARD', waiting)
      if limit > 0 then
        local runs = redis.call('ZLEXCOUNT', running, '[' .. project .. '/', '(' .. project .. '0')
        count = math.min(count, math.max(0, limit - runs))
      end
      wanted = wanted + count
    end
  end
  return { redis.call('ZCARD', slotsKey), slots, wanted, math.floor(now - oldestAt) }`;

/** The load of all queues, for metrics. `runningLimit` is the maximum of running jobs of one project; 0 for none. */
export async function readQueueLoads(
  redis: Redis,
  runningLimit: number,
): Promise<Record<QueueName, QueueLoad>> {
  const entries = await Promise.all(
    queueNames.map(async (queue) => {
      const keys = fairQueueingKeys(queue);
      const args = fairQueueingArgs({ runningLimit }, '');
      const result = await redis.eval(LOAD_SCRIPT, keys.length, ...keys, ...args);
      const [workers = 0, slots = 0, wantedSlots = 0, oldestMs = 0] = result as number[];
      return [queue, { workers, slots, wantedSlots, oldestWaitingSeconds: oldestMs / 1000 }] as const;
    }),
  );
  return Object.fromEntries(entries) as Record<QueueName, QueueLoad>;
}
