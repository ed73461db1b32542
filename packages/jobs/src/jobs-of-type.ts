import type { Redis } from '@gateway/redis';
import type { JobCatalog, JobPayload, JobType } from './catalog.ts';
import { readLastMessage } from './job-events.ts';
import { jobKeys } from './keys.ts';
import { type JobRecord, readJob, readQueued } from './records.ts';

/** A job with what it was asked for, or has told. */
export interface JobOfType<T extends JobType> {
  job: JobRecord;
  /** Null when nothing is to be done for the job any more; then it has a message. */
  payload: JobPayload<T> | null;
  /** The last one so far; null before the first. */
  message: JobCatalog[T]['message'] | null;
}

/** The jobs of a type in all projects, the newest first, for as long as their records are kept. */
export async function readJobsOfType<T extends JobType>(redis: Redis, type: T): Promise<JobOfType<T>[]> {
  const ids = await redis.zrevrange(jobKeys.ofType(type), 0, -1);
  const found = await Promise.all(
    ids.map(async (id) => {
      const [job, queued, message] = await Promise.all([
        readJob(redis, id),
        readQueued(redis, id),
        readLastMessage(redis, id),
      ]);
      return { job, payload: queued?.payload ?? null, message };
    }),
  );
  return found.filter((entry): entry is JobOfType<T> => entry.job !== null);
}
