import type { QueueName } from '@gateway/platform';
import type { Job, Queue } from 'bullmq';
import type { Queues } from './queues.ts';

export type EntryState = 'active' | 'waiting' | 'delayed';

/** The part of a queue entry that operators may see: not its data. */
export interface QueueEntry {
  /** For a job, the job's id. */
  id: string;
  /** For a job, its type; otherwise the name of a scheduled task of the gateway. */
  name: string;
  state: EntryState;
  /** Milliseconds since the epoch. */
  addedAt: number;
  begunAt: number | null;
  /** Until it becomes ready, counted from when it was added or deferred; 0 for an entry that is ready. */
  delayMs: number;
  /** The delay with which it was added. If `delayMs` differs, the entry has been deferred since. */
  firstDelayMs: number;
  /** Number of interrupted runs. */
  brokenRuns: number;
}

const STATES: readonly EntryState[] = ['active', 'waiting', 'delayed'];

/** The entries of a queue in a state, from index `start` to index `end`, both included. */
export async function readQueueEntries(
  queues: Queues,
  name: QueueName,
  state: EntryState,
  [start, end]: readonly [start: number, end: number],
): Promise<QueueEntry[]> {
  const queue = await queues.open(name);
  // An entry may end between the read of the list and its own.
  const jobs = (await readJobs(queue, state, [start, end])) as (Job | undefined)[];
  return jobs.filter((job) => job !== undefined).map((job) => entryOf(job, state));
}

/** Jobs that wait have a priority, scheduled tasks have none: two lists for one state. Jobs come first. */
async function readJobs(
  queue: Queue,
  state: EntryState,
  [start, end]: readonly [start: number, end: number],
): Promise<Job[]> {
  if (state !== 'waiting') return queue.getJobs([state], start, end);
  const count = await queue.getPrioritizedCount();
  return [
    ...(start < count ? await queue.getJobs(['prioritized'], start, end) : []),
    ...(end < count ? [] : await queue.getJobs(['waiting'], Math.max(0, start - count), end - count)),
  ];
}

/** The number of entries of a queue by state. Entries of a paused queue count as waiting. */
export async function countQueueEntries(
  queues: Queues,
  name: QueueName,
): Promise<Record<EntryState, number>> {
  const queue = await queues.open(name);
  const counts = await queue.getJobCounts(...STATES, 'prioritized');
  const { active = 0, delayed = 0, paused = 0, prioritized = 0, waiting = 0 } = counts;
  return { active, delayed, waiting: waiting + prioritized + paused };
}

/** Null for an entry that the queue does not contain, or that is in another state. */
export async function readQueueEntry(
  queues: Queues,
  name: QueueName,
  id: string,
): Promise<QueueEntry | null> {
  const queue = await queues.open(name);
  const job = (await queue.getJob(id)) as Job | undefined;
  const found = await job?.getState();
  const state = found === 'prioritized' ? 'waiting' : found;
  return job !== undefined && isEntryState(state) ? entryOf(job, state) : null;
}

/** Pauses a queue: no worker takes an entry until it is resumed. Running jobs continue. */
export async function pauseQueue(queues: Queues, name: QueueName): Promise<void> {
  await (await queues.open(name)).pause();
}

export async function resumeQueue(queues: Queues, name: QueueName): Promise<void> {
  await (await queues.open(name)).resume();
}

export async function isQueuePaused(queues: Queues, name: QueueName): Promise<boolean> {
  return (await queues.open(name)).isPaused();
}

function entryOf(job: Job, state: EntryState): QueueEntry {
  const { attemptsMade, delay, id = '', name, opts, processedOn = null, timestamp } = job;
  return {
    id,
    name,
    state,
    addedAt: timestamp,
    begunAt: processedOn,
    delayMs: delay,
    firstDelayMs: opts.delay ?? 0,
    brokenRuns: attemptsMade,
  };
}

function isEntryState(state: string | undefined): state is EntryState {
  return STATES.some((known) => known === state);
}
