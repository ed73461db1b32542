import { storedForms, toStored } from '@gateway/core';
import type { QueueName } from '@gateway/platform';
import { createConnectionWait, type Redis } from '@gateway/store';
import { type Job, Queue } from 'bullmq';
import { jobTypes } from '../catalog/catalog.ts';
import type { QueuedJob } from '../catalog/queued-job.ts';

/** The braces (hash tag) put all keys of a queue into one slot of a Redis Cluster. */
export function queuePrefix(keyPrefix: string, queue: QueueName): string {
  return `{${keyPrefix}${queue}}`;
}

export const queueNames: QueueName[] = [...new Set(Object.values(jobTypes).map(({ queue }) => queue))];

/** A run may fail any number of times: the job's journal determines when the job ends, not a counter. */
const UNLIMITED = 1_000_000;
const FIRST_RETRY_MS = 1_000;
const MAX_RETRY_MS = 60_000;

/** For how long, and how many, ended jobs of each queue are shown to the tools of BullMQ. */
const KEPT_ENDED = { age: 24 * 3600, count: 1000 };

const NO_LIMITS: RunningLimits = { provisioning: 0, cleanup: 0, maintenance: 0 };

/** How long a call of the api waits for a connection to Redis that is being made. */
const CONNECTING_MS = 2_000;

/** BullMQ gives delayed entries of the same millisecond as many scores, in their order. */
const SCORES_PER_MS = 0x1000;

/** The states of an entry that still reaches a worker. */
const LIVE_STATES = ['active', 'delayed', 'prioritized', 'waiting'];

/**
 * The priority of jobs that have begun, or are to roll back: workers receive them before those that have not
 * begun, and after scheduled tasks, which have no priority.
 */
export const FRONT_PRIORITY = 1;

/** The number of jobs of one project that may run at once on each queue; 0 for no limit. */
export type RunningLimits = Readonly<Record<QueueName, number>>;

/** The id that BullMQ gives to the entry of a scheduler at a time, in milliseconds since the epoch. */
export function scheduledEntryId(scheduler: string, time: number): string {
  return `repeat:${scheduler}:${time}`;
}

/** Delay before the next run of a job with this number of failed runs. */
export function retryDelayMs(failedRuns: number): number {
  return Math.min(FIRST_RETRY_MS * 2 ** (failedRuns - 1), MAX_RETRY_MS);
}

/** The producer's side of all queues. */
export class Queues {
  readonly runningLimits: RunningLimits;
  readonly #connection: Redis;
  readonly #connected: () => Promise<void>;
  readonly #keyPrefix: string;
  readonly #queues: Map<QueueName, Queue>;

  constructor(connection: Redis, keyPrefix: string, runningLimits: RunningLimits = NO_LIMITS) {
    this.runningLimits = runningLimits;
    this.#connection = connection;
    this.#connected = createConnectionWait(connection, CONNECTING_MS);
    this.#keyPrefix = keyPrefix;
    this.#queues = new Map(queueNames.map((name) => [name, this.#open(name)]));
  }

  #open(name: QueueName): Queue {
    const queue = new Queue(name, {
      connection: this.#connection,
      prefix: queuePrefix(this.#keyPrefix, name),
      // Some hosted servers forbid `INFO`, and without an answer the queue would fail forever.
      skipVersionCheck: true,
      defaultJobOptions: {
        // A saga ends its job itself. A failed attempt was interrupted, for example by an outage of Redis,
        // and the next one continues from the journal: a limit would leave resources behind.
        attempts: UNLIMITED,
        backoff: { type: 'custom' },
        removeOnComplete: KEPT_ENDED,
        removeOnFail: KEPT_ENDED,
      },
    });
    // The connection reports its own errors.
    queue.on('error', () => {});
    return queue;
  }

  /**
   * Adds a job, delayed by `delayMs` or until it is promoted. Does not change a job that is in the queue
   * already. Where it waits depends on its project (`queueJob`).
   */
  async add(
    jobId: string,
    job: QueuedJob,
    { delayMs = 0, priority = FRONT_PRIORITY }: AddOptions = {},
  ): Promise<void> {
    const queue = await this.open(jobTypes[job.type].queue);
    await queue.add(job.type, toStored(storedForms.job, job), { jobId, delay: delayMs, priority });
  }

  /** Removes what is left of an entry that reaches no worker any more (`has`). */
  async remove(name: QueueName, id: string): Promise<void> {
    await (await this.open(name)).remove(id);
  }

  /** True when the queue contains the entry, waiting or running. */
  async has(name: QueueName, id: string): Promise<boolean> {
    const job = await (await this.open(name)).getJob(id);
    return job !== undefined && LIVE_STATES.includes(await job.getState());
  }

  /**
   * When a delayed entry was added or deferred, by the clock of the process that did it. Null for one that is
   * not delayed.
   */
  async deferredAt(name: QueueName, id: string): Promise<number | null> {
    const queue = await this.open(name);
    const [job, score] = await Promise.all([
      queue.getJob(id),
      this.#connection.zscore(queue.toKey('delayed'), id),
    ]);
    return job === undefined || score === null ? null : Number(score) / SCORES_PER_MS - job.delay;
  }

  /** Makes a delayed job ready, behind all others; returns false when it is not delayed. */
  async promote(name: QueueName, jobId: string): Promise<boolean> {
    const job = await (await this.open(name)).getJob(jobId);
    return job !== undefined && promoteIfDelayed(job);
  }

  /** Makes a job, delayed or not, ready with this priority. Does nothing if the queue does not contain it. */
  async makeReady(name: QueueName, jobId: string, priority: number): Promise<void> {
    const job = await (await this.open(name)).getJob(jobId);
    if (job === undefined) return;
    try {
      await job.changePriority({ priority });
    } catch {
      // The job has ended meanwhile.
    }
    await promoteIfDelayed(job);
  }

  /**
   * Adds an entry without a record at each interval. Returns false if the queue does that already: writing
   * it again would move an entry that waits to the end of the queue.
   */
  async schedule(name: QueueName, entry: string, everyMs: number): Promise<boolean> {
    const queue = await this.open(name);
    const known = await queue.getJobScheduler(entry);
    const { every, next = 0 } = known ?? {};
    // A worker whose clock is ahead plans the next entry by it. BullMQ keeps the time of what it replaces.
    const isTooLate = next > Date.now() + 2 * everyMs;
    if (isTooLate) await queue.removeJobScheduler(entry);
    else if (every === everyMs && (await this.has(name, scheduledEntryId(entry, next)))) return false;
    const opts = { removeOnComplete: true, removeOnFail: true, attempts: 1 };
    await queue.upsertJobScheduler(entry, { every: everyMs }, { name: entry, opts });
    return true;
  }

  /** Ends what `schedule` has begun. */
  async unschedule(name: QueueName, entry: string): Promise<void> {
    await (await this.open(name)).removeJobScheduler(entry);
  }

  /** True while an entry of the same name runs that was added before this entry. */
  async isEarlierEntryRunning(name: QueueName, entry: Entry & { name: string }): Promise<boolean> {
    const queue = await this.open(name);
    const running = await queue.getJobs(['active']);
    return running.some((other) => other.name === entry.name && isBefore(other, entry));
  }

  /** Jobs by queue and state, for the metrics. */
  async depths(): Promise<Record<string, Record<string, number>>> {
    const entries = await Promise.all(
      [...this.#queues.keys()].map(async (name) => {
        const queue = await this.open(name);
        const counts = await queue.getJobCounts('waiting', 'prioritized', 'active', 'delayed', 'failed');
        const { prioritized = 0, waiting = 0, ...others } = counts;
        return [name, { waiting: waiting + prioritized, ...others }];
      }),
    );
    return Object.fromEntries(entries);
  }

  /** Which queues are paused, for the metrics. */
  async paused(): Promise<Record<string, boolean>> {
    const entries = [...this.#queues.keys()].map(async (name) => [
      name,
      await (await this.open(name)).isPaused(),
    ]);
    return Object.fromEntries(await Promise.all(entries));
  }

  async close(): Promise<void> {
    await Promise.all([...this.#queues.values()].map((queue) => queue.close()));
  }

  /** The queue, ready for commands. In the api this fails soon while Redis is unavailable; workers wait. */
  async open(name: QueueName): Promise<Queue> {
    const queue = this.#queues.get(name);
    if (queue === undefined) throw new Error(`No queue is named ${name}.`);
    await this.#connected();
    await queue.waitUntilReady();
    return queue;
  }
}

/** Returns false when the job is not delayed. */
async function promoteIfDelayed(job: Job): Promise<boolean> {
  try {
    await job.promote();
    return true;
  } catch {
    return false;
  }
}

interface AddOptions {
  delayMs?: number;
  /** Defaults to `FRONT_PRIORITY`. */
  priority?: number;
}

interface Entry {
  id?: string;
  /** When it was added to its queue, in milliseconds since the epoch. */
  timestamp: number;
}

function isBefore(one: Entry, other: Entry): boolean {
  if (one.timestamp !== other.timestamp) return one.timestamp < other.timestamp;
  return (one.id ?? '') < (other.id ?? '');
}
