import { setTimeout as pause } from 'node:timers/promises';
import type { ProgressLog } from '@gateway/jobs';
import { Redis } from 'ioredis';
import { createClaimedJob } from '../claimed-job.ts';
import { handleCommands } from './helper-process.ts';
import { nowMicroseconds, type PublisherCommand, type PublisherResult, TIME_MARK } from './messages.ts';

/** Simulates the workers: claims jobs and publishes progress at a constant rate. */
const CONNECTION_NAME = 'bench-publisher';
/** Events of one tick are written concurrently, as by several workers. */
const TICK_MS = 5;

let logs: ProgressLog[] = [];
let next = 0;

handleCommands<PublisherCommand, PublisherResult>(async (order) => {
  if (order.kind === 'publish') return { kind: 'published', events: await publish(order) };
  const { redisUrl, keyPrefix, jobs, projectId } = order;
  const redis = new Redis(redisUrl, {
    keyPrefix,
    connectionName: CONNECTION_NAME,
    enableAutoPipelining: true,
  });
  logs = await Promise.all(Array.from({ length: jobs }, () => createClaimedJob(redis, projectId)));
  next = 0;
  return { kind: 'queued', jobIds: logs.map(({ jobId }) => jobId) };
});

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

/** One job after the other. */
async function write(): Promise<void> {
  const log = logs[next++ % logs.length];
  const message = {
    step: 'SERVER_CREATING',
    progress: 95,
    message: `The server is being made, ${TIME_MARK}${nowMicroseconds()}.`,
    instance_id: null,
    error: null,
  };
  await log?.publish(message);
}
