import { newId } from '@gateway/core';
import { jobKeys, newRecord, ProgressLog, toHash } from '@gateway/jobs';
import type { Redis } from '@gateway/store';

const KEEP_SECONDS = 3600;

/** Creates and claims a job that is in no queue. */
export async function createClaimedJob(redis: Redis, projectId: string): Promise<ProgressLog> {
  const record = newRecord({
    id: newId(),
    type: 'instance.create',
    projectId,
    userId: 'bench',
    requestId: 'bench',
  });
  await redis.hset(jobKeys.record(record.id), toHash(record));
  const log = await ProgressLog.claim(record, { redis, keepSeconds: KEEP_SECONDS });
  if (!(log instanceof ProgressLog)) throw new Error(`A job of the measurement is ${log}.`);
  return log;
}
