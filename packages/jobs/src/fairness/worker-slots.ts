import type { QueueName } from '@gateway/platform';
import type { Redis } from '@gateway/store';
import { jobKeys } from '../keys.ts';
import { registerSlotsScript } from './scripts.ts';

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

/** The slots of each live worker, from the members of the registrations with their times. */
export function slotsOf(registrations: readonly string[], now: number): number[] {
  return registrations.flatMap((member, index) =>
    index % 2 === 0 && Number(registrations[index + 1]) > now ? [Number.parseInt(member, 10)] : [],
  );
}

function slotsMember(count: number, workerId: string): string {
  return `${count}:${workerId}`;
}
