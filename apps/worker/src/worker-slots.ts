import { setInterval } from 'node:timers';
import type { JobsConfig, QueueName } from '@gateway/config';
import { newId } from '@gateway/core';
import { registerSlots, type SlotsByQueue, unregisterSlots } from '@gateway/jobs';
import type { Redis } from '@gateway/redis';

/** A worker counts as gone when it has missed this many renewals. */
const RENEWALS_PER_LOCK = 3;

export interface WorkerSlot {
  /** Maximum number of jobs of the queue that this process runs at once. */
  readonly ownSlots: number;
  /** True when the same project holds all other slots of the queue; never true for a queue with one slot. */
  readonly isLastSlot: boolean;
  release(): void;
}

/** Counts the slots that running jobs hold in this process, by queue and project. */
export class WorkerSlots {
  readonly #concurrency: Record<QueueName, number>;
  readonly #taken = new Map<QueueName, Map<string, number>>();

  #hasSuspect = false;

  constructor(concurrency: Record<QueueName, number>) {
    this.#concurrency = concurrency;
  }

  /** Returns a function that ends the run of a suspect; null while another one runs. */
  takeSuspect(): (() => void) | null {
    if (this.#hasSuspect) return null;
    this.#hasSuspect = true;
    return () => {
      this.#hasSuspect = false;
    };
  }

  /**
   * Takes a slot for a job of a project. Call it before the job is claimed; release the slot after its run.
   */
  take(queue: QueueName, projectId: string): WorkerSlot {
    const ofQueue = this.#taken.get(queue) ?? new Map<string, number>();
    this.#taken.set(queue, ofQueue);
    const taken = (ofQueue.get(projectId) ?? 0) + 1;
    ofQueue.set(projectId, taken);
    const ownSlots = this.#concurrency[queue];
    return {
      ownSlots,
      isLastSlot: ownSlots > 1 && taken >= ownSlots,
      release: () => {
        const left = (ofQueue.get(projectId) ?? 1) - 1;
        if (left > 0) ofQueue.set(projectId, left);
        else ofQueue.delete(projectId);
      },
    };
  }
}

interface SlotRegistration {
  /** With `force`, the registration stays until it expires. */
  close(force: boolean): Promise<void>;
}

/** Registers this worker's slots in Redis and renews the registration, for fair queueing across workers. */
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
