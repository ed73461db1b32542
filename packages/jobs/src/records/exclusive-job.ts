import type { Redis } from '@gateway/store';
import { jobKeys } from '../keys.ts';
import { hasEnded, type JobRecord, readJob } from './job-record.ts';

/** The unfinished exclusive job on a subject (`exclusive` of `JobRequest`); null without one. */
export async function readExclusiveJob(redis: Redis, subject: string): Promise<JobRecord | null> {
  const jobId = await redis.get(jobKeys.exclusive(subject));
  const record = jobId === null ? null : await readJob(redis, jobId);
  return record === null || hasEnded(record) ? null : record;
}
