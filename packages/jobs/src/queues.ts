import type { QueueName } from '@gateway/config';
import type { Redis } from '@gateway/redis';
import { Queue } from 'bullmq';
import type { JobPayload, JobType } from './catalog.ts';
import { jobQueues } from './catalog.ts';

/** What stands in a queue: no secret, only handles. The job's id is the queue entry's id. */
export interface QueuedJob<T extends JobType = JobType> {
  type: T;
  payload: JobPayload<T>;
  credentialHandle: string;
  requestId: string;
  projectId: string;
}

/** The keys of one queue carry its name in braces, so that they stand in one slot of a Redis Cluster. */
export function queuePrefix(keyPrefix: string, queue: QueueName): string {
  return `{${keyPrefix}${queue}}`;
}

export const queueNames: QueueName[] = [...new Set(Object.values(jobQueues))];

const ATTEMPTS = 1_000;
const RETRY_DELAY_MS = 1_000;

/** The producer's side of all queues. */
export class Queues {
  readonly #connection: Redis;
  readonly #queues: Map<QueueName, Queue>;

  constructor(connection: Redis, keyPrefix: string) {
    this.#connection = connection;
    this.#queues = new Map(
      queueNames.map((name) => [
        name,
        new Queue(name, {
          connection,
          prefix: queuePrefix(keyPrefix, name),
          defaultJobOptions: {
            // A saga ends its job itself. An attempt that fails was cut off (its Redis went away, say), and
            // the next one goes on from the journal: giving up early would leave things behind.
            attempts: ATTEMPTS,
            backoff: { type: 'fixed', delay: RETRY_DELAY_MS },
            removeOnComplete: true,
            removeOnFail: { age: 24 * 3600 },
          },
        }),
      ]),
    );
    // Its connection reports its own faults.
    for (const queue of this.#queues.values()) queue.on('error', () => {});
  }

  /** Fails at once when Redis is away: a queue by itself would wait for it. */
  async add(jobId: string, job: QueuedJob): Promise<void> {
    if (this.#connection.status !== 'ready') throw new Error('The connection of the queues is not ready.');
    await this.#queue(jobQueues[job.type]).add(job.type, job, { jobId });
  }

  /** Jobs by queue and state, for the metrics. */
  async depths(): Promise<Record<string, Record<string, number>>> {
    const entries = await Promise.all(
      [...this.#queues].map(async ([name, queue]) => [
        name,
        await queue.getJobCounts('waiting', 'active', 'delayed', 'failed'),
      ]),
    );
    return Object.fromEntries(entries);
  }

  async close(): Promise<void> {
    await Promise.all([...this.#queues.values()].map((queue) => queue.close()));
  }

  #queue(name: QueueName): Queue {
    const queue = this.#queues.get(name);
    if (queue === undefined) throw new Error(`No queue is named ${name}.`);
    return queue;
  }
}
