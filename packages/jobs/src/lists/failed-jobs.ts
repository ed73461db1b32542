import type { QueueName } from '@gateway/config';
import type { Redis } from '@gateway/redis';
import { jobKeys } from '../keys.ts';
import { type JobRecord, readJob } from '../records/job-record.ts';

/** How many failed jobs of a queue are listed. Records that have expired since may be among them. */
export function countFailedJobs(redis: Redis, queue: QueueName): Promise<number> {
  return redis.zcard(jobKeys.failed(queue));
}

/**
 * Failed jobs of a queue in all projects, the latest first, from place `start` to place `end`. Those whose records have
 * expired are missing, and are removed from the list on the way.
 */
export async function readFailedJobs(
  redis: Redis,
  queue: QueueName,
  start: number,
  end: number,
): Promise<JobRecord[]> {
  const ids = await redis.zrevrange(jobKeys.failed(queue), start, end);
  const records = await Promise.all(ids.map((id) => readJob(redis, id)));
  const gone = ids.filter((_id, index) => records[index] === null);
  if (gone.length > 0) await redis.zrem(jobKeys.failed(queue), ...gone);
  return records.filter((record) => record !== null);
}
