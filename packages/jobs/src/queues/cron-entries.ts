import type { QueueName } from '@gateway/platform';
import { FRONT_PRIORITY, type Queues, scheduledEntryId } from './queues.ts';

/** A queue entry without a record that is added at each due time of a cron expression, in UTC. */
interface CronEntry {
  id: string;
  name: string;
  pattern: string;
  data: object;
}

/** A recurring entry as the queue stores it. */
export interface ScheduledEntry {
  pattern: string;
  /** When the next one is due, in milliseconds since the epoch. */
  next: number;
}

/** The recurring entries of one queue: BullMQ's job schedulers. */
export class CronEntries {
  readonly #queues: Queues;
  readonly #name: QueueName;

  constructor(queues: Queues, name: QueueName) {
    this.#queues = queues;
    this.#name = name;
  }

  /** Replaces the entry with the same id, even if it is due and waits. */
  async set({ id, name, pattern, data }: CronEntry): Promise<void> {
    const queue = await this.#queues.open(this.#name);
    await queue.upsertJobScheduler(
      id,
      { pattern, tz: 'UTC' },
      {
        name,
        data,
        opts: { priority: FRONT_PRIORITY, removeOnComplete: true },
      },
    );
  }

  /** Removes the recurring entry and its due entries. */
  async remove(id: string): Promise<void> {
    const queue = await this.#queues.open(this.#name);
    await queue.removeJobScheduler(id);
  }

  /** The entries whose ids begin with the prefix. */
  async list(prefix: string): Promise<Map<string, ScheduledEntry>> {
    const queue = await this.#queues.open(this.#name);
    const found = await queue.getJobSchedulers();
    return new Map(
      found
        .filter(({ key }) => key.startsWith(prefix))
        .map(({ key, pattern = '', next = 0 }) => [key, { pattern, next }]),
    );
  }

  /** False if the queue has lost the next entry. */
  hasNext(id: string, { next }: ScheduledEntry): Promise<boolean> {
    return this.#queues.has(this.#name, scheduledEntryId(id, next));
  }
}

/** The due time of an entry that a worker receives, in milliseconds since the epoch. */
export function dueTimeOfEntry(jobId: string): number {
  return Number(jobId.slice(jobId.lastIndexOf(':') + 1));
}
