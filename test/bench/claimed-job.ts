import { newId } from '@gateway/core';
import { jobKeys, newRecord, ProgressLog, toHash } from '@gateway/jobs';
import type { Redis } from '@gateway/redis';

const KEEP_SECONDS = 3600;

/** A job as a worker has it in hand; no queue knows it. */
export async function claimedJob(redis: Redis, projectId: string): Promise<ProgressLog> {
  const record = newRecord({
    id: newId(),
    type: 'instance.create',
    projectId,
    userId: 'bench',
    requestId: 'bench',
    createdAt: Date.now(),
  });
  await redis.hset(jobKeys.record(record.id), toHash(record));
  const log = await ProgressLog.claim(record, { redis, keepSeconds: KEEP_SECONDS });
  if (!(log instanceof ProgressLog)) throw new Error(`A job of the measurement is ${log}.`);
  return log;
}
