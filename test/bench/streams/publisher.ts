import { setTimeout as pause } from 'node:timers/promises';
import { ChangeLog, type ProgressLog } from '@gateway/jobs';
import { Redis } from 'ioredis';
import { createClaimedJob } from '../claimed-job.ts';
import { handleCommands } from './helper-process.ts';
import {
  nowMicroseconds,
  type PublisherCommand,
  type PublisherResult,
  type StreamSubjects,
  TIME_MARK,
} from './messages.ts';

/** Simulates the workers: publishes progress of claimed jobs, or changes of projects, at a constant rate. */
const CONNECTION_NAME = 'bench-publisher';
/** Events of one tick are written concurrently, as by several workers. */
const TICK_MS = 5;
const LOG_LENGTH = 5_000;
const KEEP_SECONDS = 3_600;

/** Write one event of one subject. */
let writers: ((text: string) => Promise<void>)[] = [];
let next = 0;

handleCommands<PublisherCommand, PublisherResult>(async (order) => {
  if (order.kind === 'publish') return { kind: 'published', events: await publish(order) };
  const { redisUrl, keyPrefix, subjects } = order;
  const redis = new Redis(redisUrl, {
    keyPrefix,
    connectionName: CONNECTION_NAME,
    enableAutoPipelining: true,
  });
  next = 0;
  return { kind: 'prepared', ids: await prepare(redis, subjects) };
});

async function prepare(redis: Redis, subjects: StreamSubjects): Promise<string[]> {
  if (subjects.kind === 'projects') {
    const changes = new ChangeLog(redis, { length: LOG_LENGTH, keepSeconds: KEEP_SECONDS });
    for (const projectId of subjects.projectIds) await changes.listen(projectId);
    writers = subjects.projectIds.map((projectId) => async (id) => {
      await changes.report({ projectId, changes: [{ kind: 'created', type: 'job', id }] });
    });
    return [...subjects.projectIds];
  }
  const { count, projectId } = subjects;
  const logs = await Promise.all(Array.from({ length: count }, () => createClaimedJob(redis, projectId)));
  writers = logs.map((log) => (text) => writeProgress(log, text));
  return logs.map(({ jobId }) => jobId);
}

async function publish({
  eventsPerSecond,
  seconds,
}: {
  eventsPerSecond: number;
  seconds: number;
}): Promise<number> {
  const total = eventsPerSecond * seconds;
  const started = performance.now();
  const writes: Promise<void>[] = [];
  while (writes.length < total) {
    const due = Math.min(total, Math.floor(((performance.now() - started) / 1000) * eventsPerSecond));
    while (writes.length < due) writes.push(write());
    await pause(TICK_MS);
  }
  await Promise.all(writes);
  return total;
}

/** One subject after the other. */
async function write(): Promise<void> {
  await writers[next++ % writers.length]?.(`The server is being made, ${TIME_MARK}${nowMicroseconds()}.`);
}

async function writeProgress(log: ProgressLog, text: string): Promise<void> {
  const message = { step: 'SERVER_CREATING', progress: 95, message: text, instance_id: null, error: null };
  await log.publish(message);
}
