import assert from 'node:assert/strict';
import { newId } from '@gateway/core';
import {
  type ClaimedJob,
  type EndChanges,
  jobKeys,
  newRecord,
  ProgressLog,
  type ProgressMessage,
  toHash,
} from '@gateway/jobs';
import type { Redis } from '@gateway/store';

export const keepSeconds = 600;

/** Creates the record and data of a job, as its producer does. */
export async function queueJob(redis: Redis): Promise<string> {
  const id = newId();
  const type = 'instance.create';
  const job = { id, type, projectId: 'p1', userId: 'u1', requestId: 'req-1' } as const;
  await redis.hset(jobKeys.record(id), { ...toHash(newRecord(job)), createdAt: 1_000, updatedAt: 1_000 });
  return id;
}

export async function claim(redis: Redis, jobId: string): Promise<ProgressLog> {
  const log = await ProgressLog.claim(jobOf(jobId), { redis, keepSeconds });
  assert.ok(log instanceof ProgressLog, `the job is ${log}`);
  return log;
}

/** The job in a worker before the claim. */
export function jobOf(id: string): ClaimedJob {
  return { id, type: 'instance.create', projectId: 'p1' };
}

/** The `n`-th event of a test. */
export function message(n: number): ProgressMessage {
  return { step: `STEP_${n}`, progress: n, message: `Event ${n}.` };
}

export async function append(log: ProgressLog, from: number, to: number): Promise<void> {
  for (let n = from; n <= to; n++) await log.publish(message(n));
}

export function end(log: ProgressLog, changes: Partial<EndChanges> = {}): Promise<void> {
  return log.end({ step: 'COMPLETED', progress: 100, message: 'Done.' }, { status: 'completed', ...changes });
}
