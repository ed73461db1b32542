import { parseStored, storedForms } from '@gateway/core';
import type { Redis } from '@gateway/store';
import type { QueuedJob } from '../catalog/queued-job.ts';
import { jobKeys } from '../keys.ts';
import type { JobStatus } from '../records/job-record.ts';
import { joinScript } from './scripts.ts';

interface JoinedJob {
  status: JobStatus;
  /** The job's queue entry, which the queue may lack; null when nothing is left to do for the job. */
  queued: QueuedJob | null;
}

/** Joins a job of an earlier request, which then cannot withdraw the job. Returns null for an unknown job. */
export async function joinJob(redis: Redis, jobId: string): Promise<JoinedJob | null> {
  const found = (await joinScript.run(redis, { record: jobKeys.record(jobId) })) as
    | [JobStatus, string]
    | null;
  if (found === null) return null;
  const [status, queued] = found;
  return { status, queued: queued === '' ? null : parseStored<QueuedJob>(storedForms.job, queued) };
}
