import { setInterval } from 'node:timers';
import { newId } from '@gateway/core';
import { registerSlots, type SlotsByQueue, unregisterSlots } from '@gateway/jobs';
import type { JobsConfig, QueueName } from '@gateway/platform';
import type { Redis } from '@gateway/store';

/** A worker counts as gone when it has missed this many renewals. */
const RENEWALS_PER_LOCK = 3;

interface SlotRegistration {
  /** With `force`, the registration stays until it expires. */
  close(force: boolean): Promise<void>;
}

/** Registers this worker's slots in Redis and renews the registration, for metrics and estimates. */
export function keepSlotsRegistered(
  redis: Redis,
  queues: readonly QueueName[],
  { concurrency, lockSeconds }: Pick<JobsConfig, 'concurrency' | 'lockSeconds'>,
): SlotRegistration {
  const workerId = newId();
  const slots: SlotsByQueue = new Map(queues.map((queue) => [queue, concurrency[queue]]));
  const lockMs = lockSeconds * 1000;
  // While Redis is unavailable no job begins either.
  const register = () => registerSlots(redis, workerId, slots, lockMs).catch(() => {});
  void register();
  const timer = setInterval(register, lockMs / RENEWALS_PER_LOCK);
  return {
    async close(force) {
      clearInterval(timer);
      if (!force) await unregisterSlots(redis, workerId, slots).catch(() => {});
    },
  };
}
