import { newId } from '@gateway/core';
import { type JobRecord, jobKeys, ProgressLog, toHash } from '@gateway/jobs';
import type { Redis } from '@gateway/redis';

const KEEP_SECONDS = 3600;

/** A job as a worker has it in hand; no queue knows it. */
export async function claimedJob(redis: Redis, projectId: string): Promise<ProgressLog> {
  const now = Date.now();
  const record: JobRecord = {
    id: newId(),
    type: 'instance.create',
    projectId,
    userId: 'bench',
    requestId: 'bench',
    status: 'queued',
    step: null,
    progress: 0,
    message: 'Waiting for a worker.',
    resourceId: null,
    failure: null,
    leftovers: [],
    cancelRequested: false,
    givenUp: null,
    createdAt: now,
    updatedAt: now,
  };
  await redis.hset(jobKeys.record(record.id), toHash(record));
  const log = await ProgressLog.claim(record, { redis, keepSeconds: KEEP_SECONDS });
  if (!(log instanceof ProgressLog)) throw new Error(`A job of the measurement is ${log}.`);
  return log;
}
