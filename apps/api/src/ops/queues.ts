import { isId, notFound } from '@gateway/core';
import {
  countFailedJobs,
  countQueueEntries,
  type EntryState,
  isKnownJobType,
  isQueuePaused,
  type JobRecord,
  jobTraits,
  queueNames,
  readEvents,
  readFailedJobs,
  readJob,
  readQueueEntries,
  readQueueEntry,
  readQueueLoads,
  resumeJob,
} from '@gateway/jobs';
import type { QueueName } from '@gateway/platform';
import type { AppContext } from '../context.ts';
import { presentEntry, presentFailedJob, presentStep } from './present-job.ts';

const PAGE_SIZE = 25;
const MAX_STEPS = 1000;

/** A state of a job in the page: of its queue entry, or failed, when the job is no longer in the queue. */
export type ShownState = EntryState | 'failed';

/** @throws 404 unless a queue has the name */
export function queueNamed(name: string): QueueName {
  const found = queueNames.find((each) => each === name);
  if (found === undefined) throw notFound('There is no queue of this name.');
  return found;
}

/** All queues with the number of their jobs in each state and of their live workers. */
export async function listQueues(app: AppContext) {
  const { queues, redis } = app;
  const loads = await readQueueLoads(redis.store);
  const items = await Promise.all(
    queueNames.map(async (name) => {
      const [counts, isPaused] = await Promise.all([countJobs(app, name), isQueuePaused(queues, name)]);
      return { name, counts, workers: loads[name].workers, is_paused: isPaused };
    }),
  );
  return { items };
}

/** A page of a queue's jobs in a state. `page` counts from 1. */
export async function listJobs(app: AppContext, queue: QueueName, state: ShownState, page: number) {
  const start = (page - 1) * PAGE_SIZE;
  const [items, counts] = await Promise.all([
    readPage(app, queue, state, [start, start + PAGE_SIZE - 1]),
    countJobs(app, queue),
  ]);
  return { items, total: counts[state], page, page_size: PAGE_SIZE };
}

/** A job with its steps, without their texts. @throws 404 unless it is in the queue, or has failed there */
export async function showJob(app: AppContext, queue: QueueName, id: string) {
  const { queues, redis } = app;
  const record = await readRecord(app, id);
  const events = record === null ? [] : await readEvents(redis.store, id, 0, MAX_STEPS);
  const steps = events.map(presentStep);
  if (record?.status === 'failed' && isKnownJobType(record.type) && jobTraits[record.type].queue === queue)
    return { ...presentFailedJob(record), steps };
  const entry = await readQueueEntry(queues, queue, id);
  if (entry === null) throw notInQueue();
  return { ...presentEntry(entry, record), steps };
}

/** Runs a delayed job at once. @throws 404 unless it is in the queue */
export async function promoteJob(app: AppContext, queue: QueueName, id: string): Promise<void> {
  const { queues, redis } = app;
  if ((await readQueueEntry(queues, queue, id)) === null) throw notInQueue();
  const record = await readRecord(app, id);
  if (record === null || !isKnownJobType(record.type)) await queues.promote(queue, id);
  else await resumeJob(redis.store, queues, record);
}

async function countJobs(
  { queues, redis }: AppContext,
  queue: QueueName,
): Promise<Record<ShownState, number>> {
  const [entries, failed] = await Promise.all([
    countQueueEntries(queues, queue),
    countFailedJobs(redis.store, queue),
  ]);
  return { ...entries, failed };
}

async function readPage(
  app: AppContext,
  queue: QueueName,
  state: ShownState,
  [start, end]: readonly [start: number, end: number],
) {
  const { queues, redis } = app;
  if (state === 'failed') return (await readFailedJobs(redis.store, queue, start, end)).map(presentFailedJob);
  const entries = await readQueueEntries(queues, queue, state, [start, end]);
  return Promise.all(entries.map(async (entry) => presentEntry(entry, await readRecord(app, entry.id))));
}

/** Null for an entry that is not a job, such as a task of the gateway. */
async function readRecord({ redis }: AppContext, id: string): Promise<JobRecord | null> {
  return isId(id) ? readJob(redis.store, id) : null;
}

function notInQueue() {
  return notFound('The queue has no job of this id.');
}
