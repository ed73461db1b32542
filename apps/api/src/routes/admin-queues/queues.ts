import { isId, notFound } from '@gateway/core';
import {
  countFailedJobs,
  countQueueEntries,
  isKnownJobType,
  isQueuePaused,
  type JobRecord,
  jobTypes,
  queueNames,
  readFailedJobs,
  readJob,
  readQueueEntries,
  readQueueEntry,
  readQueueLoads,
  resumeJob,
} from '@gateway/jobs';
import type { QueueName } from '@gateway/platform';
import type { AppContext } from '../../context.ts';
import { presentEntry, presentFailedJob } from './present.ts';
import type { ShownEntry, ShownState } from './shapes.ts';

/** All queues with the number of their entries in each state and of their live workers. */
export async function listQueues(app: AppContext) {
  const loads = await readQueueLoads(app.redis.store);
  return Promise.all(queueNames.map((name) => presentQueue(app, name, loads[name].workers)));
}

export async function readQueue(app: AppContext, name: QueueName) {
  const loads = await readQueueLoads(app.redis.store);
  return presentQueue(app, name, loads[name].workers);
}

async function presentQueue(app: AppContext, name: QueueName, workers: number) {
  const [counts, isPaused] = await Promise.all([countEntries(app, name), isQueuePaused(app.queues, name)]);
  return { name, counts, workers, is_paused: isPaused };
}

/** Entries of a queue in a state, from index `start`. */
export async function listEntries(
  { queues, redis }: AppContext,
  queue: QueueName,
  { state, start, count }: { state: ShownState; start: number; count: number },
): Promise<ShownEntry[]> {
  const end = start + count - 1;
  if (state === 'failed') return (await readFailedJobs(redis.store, queue, start, end)).map(presentFailedJob);
  const entries = await readQueueEntries(queues, queue, state, [start, end]);
  return Promise.all(entries.map(async (entry) => presentEntry(entry, await readRecord(redis, entry.id))));
}

/** @throws 404 unless it is in the queue, or has failed there */
export async function readEntry(app: AppContext, queue: QueueName, id: string): Promise<ShownEntry> {
  const record = await readRecord(app.redis, id);
  if (record?.status === 'failed' && isKnownJobType(record.type) && jobTypes[record.type].queue === queue)
    return presentFailedJob(record);
  const entry = await readQueueEntry(app.queues, queue, id);
  if (entry === null) throw notInQueue();
  return presentEntry(entry, record);
}

/** Runs a deferred entry at once. @throws 404 unless it is in the queue */
export async function runEntry(app: AppContext, queue: QueueName, id: string): Promise<void> {
  const { queues, redis } = app;
  if ((await readQueueEntry(queues, queue, id)) === null) throw notInQueue();
  const record = await readRecord(redis, id);
  if (record === null || !isKnownJobType(record.type)) await queues.promote(queue, id);
  else await resumeJob(redis.store, queues, record);
}

async function countEntries(
  { queues, redis }: AppContext,
  queue: QueueName,
): Promise<Record<ShownState, number>> {
  const [entries, failed] = await Promise.all([
    countQueueEntries(queues, queue),
    countFailedJobs(redis.store, queue),
  ]);
  return { ...entries, failed };
}

/** Null for an entry that is not a job, such as a task of the gateway. */
async function readRecord({ store }: AppContext['redis'], id: string): Promise<JobRecord | null> {
  return isId(id) ? readJob(store, id) : null;
}

function notInQueue() {
  return notFound('The queue has no job of this id.');
}
