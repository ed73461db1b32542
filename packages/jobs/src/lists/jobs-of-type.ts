import type { Redis } from '@gateway/store';
import type { JobMessage, JobPayload, JobType } from '../catalog/catalog.ts';
import { jobKeys } from '../keys.ts';
import { readLastMessage } from '../progress/job-events.ts';
import { type JobRecord, readJob, readQueued } from '../records/job-record.ts';

/** A job with its payload and its last progress message. */
export interface JobOfType<T extends JobType> {
  job: JobRecord;
  /** Null when nothing is left to do for the job. It then has a message. */
  payload: JobPayload<T> | null;
  /** Null before the first message. */
  message: JobMessage<T> | null;
}

/** The jobs of a type in all projects whose records are still kept, newest first. */
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
