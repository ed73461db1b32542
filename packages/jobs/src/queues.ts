import type { QueueName } from '@gateway/config';
import type { Redis } from '@gateway/redis';
import { Queue } from 'bullmq';
import type { JobPayload, JobType } from './catalog.ts';
import { jobTraits } from './catalog.ts';

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

export const queueNames: QueueName[] = [...new Set(Object.values(jobTraits).map(({ queue }) => queue))];

/** A job may break off any number of times: its journal, not a counter, says when it is over. */
const UNLIMITED = 1_000_000;
const FIRST_RETRY_MS = 1_000;
const MAX_RETRY_MS = 60_000;

/** Pause before the next run of a job whose runs have broken off so many times. */
export function retryDelayMs(brokenRuns: number): number {
  return Math.min(FIRST_RETRY_MS * 2 ** (brokenRuns - 1), MAX_RETRY_MS);
}

/** The producer's side of all queues. */
export class Queues {
  readonly #connection: Redis;
  readonly #keyPrefix: string;
  readonly #queues: Map<QueueName, Queue>;

  constructor(connection: Redis, keyPrefix: string) {
    this.#connection = connection;
    this.#keyPrefix = keyPrefix;
    this.#queues = new Map(queueNames.map((name) => [name, this.#open(name)]));
  }

  #open(name: QueueName): Queue {
    const queue = new Queue(name, {
      connection: this.#connection,
      prefix: queuePrefix(this.#keyPrefix, name),
      defaultJobOptions: {
        // A saga ends its job itself. An attempt that fails was cut off (its Redis went away, say), and
        // the next one goes on from the journal: giving up early would leave things behind.
        attempts: UNLIMITED,
        backoff: { type: 'custom' },
        removeOnComplete: true,
        removeOnFail: { age: 24 * 3600 },
      },
    });
    // Its connection reports its own faults.
    queue.on('error', () => {});
    return queue;
  }

  /**
   * Fails at once when Redis is away: a queue by itself would wait for it. A job that is there already stays as it
   * is. It waits for `delayMs`, or until it is promoted.
   */
  async add(jobId: string, job: QueuedJob, delayMs = 0): Promise<void> {
    if (this.#connection.status !== 'ready') throw new Error('The connection of the queues is not ready.');
    const queue = await this.#queue(jobTraits[job.type].queue);
    await queue.add(job.type, job, { jobId, delay: delayMs });
  }

  /** True when the queue knows of the job, whether it waits or runs. */
  async has(name: QueueName, jobId: string): Promise<boolean> {
    const queue = await this.#queue(name);
    return (await queue.getJob(jobId)) !== undefined;
  }

  /** Has a job that waits for its time begin at once; false when it does not wait. */
  async promote(name: QueueName, jobId: string): Promise<boolean> {
    return (await this.tryPromote(name, jobId)) === 'promoted';
  }

  /** The same; tells a job that waits or runs already (`there`) from one that the queue does not know. */
  async tryPromote(name: QueueName, jobId: string): Promise<'promoted' | 'not-delayed' | 'missing'> {
    const queue = await this.#queue(name);
    const job = await queue.getJob(jobId);
    if (job === undefined) return 'missing';
    if (!(await job.isDelayed())) return 'not-delayed';
    try {
      await job.promote();
      return 'promoted';
    } catch {
      // It began meanwhile.
      return 'not-delayed';
    }
  }

  /** Puts an entry without a record into the queue again and again; said twice it is one. */
  async schedule(name: QueueName, entry: string, everyMs: number): Promise<void> {
    const opts = { removeOnComplete: true, removeOnFail: true, attempts: 1 };
    const queue = await this.#queue(name);
    await queue.upsertJobScheduler(entry, { every: everyMs }, { name: entry, opts });
  }

  /** True while an entry of that name runs that was put into the queue before this one. */
  async isEarlierEntryRunning(name: QueueName, entry: Entry & { name: string }): Promise<boolean> {
    const queue = await this.#queue(name);
    const running = await queue.getJobs(['active']);
    return running.some((other) => other.name === entry.name && isBefore(other, entry));
  }

  /** Jobs by queue and state, for the metrics. */
  async depths(): Promise<Record<string, Record<string, number>>> {
    const entries = await Promise.all(
      [...this.#queues.keys()].map(async (name) => {
        const queue = await this.#queue(name);
        return [name, await queue.getJobCounts('waiting', 'active', 'delayed', 'failed')];
      }),
    );
    return Object.fromEntries(entries);
  }

  async close(): Promise<void> {
    await Promise.all([...this.#queues.values()].map((queue) => queue.close()));
  }

  /**
   * A queue asks its Redis who it is before anything else, and when that fails (a node of a Cluster is just being
   * connected, say) it fails for ever: another one takes its place.
   */
  async #queue(name: QueueName): Promise<Queue> {
    const queue = this.#queues.get(name);
    if (queue === undefined) throw new Error(`No queue is named ${name}.`);
    try {
      await queue.waitUntilReady();
      return queue;
    } catch {
      if (this.#queues.get(name) === queue) this.#queues.set(name, this.#open(name));
      await queue.close().catch(() => {});
    }
    const another = this.#queues.get(name) ?? queue;
    await another.waitUntilReady();
    return another;
  }
}

interface Entry {
  id?: string;
  /** When it was put into its queue, in milliseconds since the epoch. */
  timestamp: number;
}

function isBefore(one: Entry, other: Entry): boolean {
  if (one.timestamp !== other.timestamp) return one.timestamp < other.timestamp;
  return (one.id ?? '') < (other.id ?? '');
}
