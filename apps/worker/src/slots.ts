import { setInterval } from 'node:timers';
import type { JobsConfig, QueueName } from '@gateway/config';
import { newId } from '@gateway/core';
import { registerSlots, type SlotsByQueue, unregisterSlots } from '@gateway/jobs';
import type { Redis } from '@gateway/redis';

/** A worker counts as gone when it has missed so many announcements. */
const ANNOUNCEMENTS_PER_LOCK = 3;

export interface WorkerSlot {
  /** How many jobs of the queue this process runs at once. */
  readonly ownSlots: number;
  /** True when all others of the queue are taken by the same project. A single slot can not be shared. */
  readonly isLastOne: boolean;
  release(): void;
}

/** The jobs that this process runs at once, by queue and project. */
export class WorkerSlots {
  readonly #concurrency: Record<QueueName, number>;
  readonly #taken = new Map<QueueName, Map<string, number>>();

  constructor(concurrency: Record<QueueName, number>) {
    this.#concurrency = concurrency;
  }

  /** Takes a slot for a job of a project; to be asked for before the job is claimed, and released after its run. */
  take(queue: QueueName, projectId: string): WorkerSlot {
    const ofQueue = this.#taken.get(queue) ?? new Map<string, number>();
    this.#taken.set(queue, ofQueue);
    const taken = (ofQueue.get(projectId) ?? 0) + 1;
    ofQueue.set(projectId, taken);
    const ownSlots = this.#concurrency[queue];
    return {
      ownSlots,
      isLastOne: ownSlots > 1 && taken >= ownSlots,
      release: () => {
        const left = (ofQueue.get(projectId) ?? 1) - 1;
        if (left > 0) ofQueue.set(projectId, left);
        else ofQueue.delete(projectId);
      },
    };
  }
}

/** Tells the other workers, again and again, how many jobs this one runs at once. */
export function keepSlotsAnnounced(
  redis: Redis,
  queues: readonly QueueName[],
  { concurrency, lockSeconds }: Pick<JobsConfig, 'concurrency' | 'lockSeconds'>,
): { close(): Promise<void> } {
  const workerId = newId();
  const slots: SlotsByQueue = new Map(queues.map((queue) => [queue, concurrency[queue]]));
  const lockMs = lockSeconds * 1000;
  // While Redis is away no job begins either.
  const announce = () => registerSlots(redis, workerId, slots, lockMs).catch(() => {});
  void announce();
  const timer = setInterval(announce, lockMs / ANNOUNCEMENTS_PER_LOCK);
  return {
    async close() {
      clearInterval(timer);
      await unregisterSlots(redis, workerId, slots).catch(() => {});
    },
  };
}
