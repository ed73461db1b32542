import type { QueueName } from '@gateway/platform';
import type { Redis } from '@gateway/store';
import { jobKeys } from '../keys.ts';
import { type JobRecord, readJob } from '../records/job-record.ts';

/** The number of listed failed jobs of a queue, including jobs whose records have expired since. */
export function countFailedJobs(redis: Redis, queue: QueueName): Promise<number> {
  return redis.zcard(jobKeys.failed(queue));
}

/**
 * Failed jobs of a queue in all projects, latest first, from index `start` to index `end`. Omits jobs whose
 * records have expired, and removes them from the list.
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
