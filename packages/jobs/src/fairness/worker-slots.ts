import type { QueueName } from '@gateway/config';
import type { Redis } from '@gateway/redis';
import { jobKeys } from '../keys.ts';
import { registerSlotsScript } from './register-slots-script.ts';

/** The number of jobs that a worker runs at once, by queue. */
export type SlotsByQueue = ReadonlyMap<QueueName, number>;

/**
 * Registers how many jobs a worker runs at once. The registration expires after `forMs` unless it is renewed.
 */
export async function registerSlots(
  redis: Redis,
  workerId: string,
  slots: SlotsByQueue,
  forMs: number,
): Promise<void> {
  await Promise.all(
    [...slots].map(([queue, count]) => {
      const keys = { slots: jobKeys.slots(queue) };
      return registerSlotsScript.run(redis, keys, { member: slotsMember(count, workerId), forMs });
    }),
  );
}

/** Called by a worker that stops. */
export async function unregisterSlots(redis: Redis, workerId: string, slots: SlotsByQueue): Promise<void> {
  await Promise.all(
    [...slots].map(([queue, count]) => redis.zrem(jobKeys.slots(queue), slotsMember(count, workerId))),
  );
}

function slotsMember(count: number, workerId: string): string {
  return `${count}:${workerId}`;
}
