import type { Redis } from '@gateway/redis';
import { JOIN_SCRIPT } from './enqueue-script.ts';
import { jobKeys } from './keys.ts';
import type { QueuedJob } from './queues.ts';
import type { JobStatus } from './records.ts';

export interface JoinedJob {
  status: JobStatus;
  /** What stands, or should stand, in its queue; null when nothing is to be done for it any more. */
  queued: QueuedJob | null;
}

/** Relies on a job that another request has asked for, which then can not withdraw it; null when it is not there. */
export async function joinJob(redis: Redis, jobId: string): Promise<JoinedJob | null> {
  const found = (await redis.eval(JOIN_SCRIPT, 1, jobKeys.record(jobId))) as [JobStatus, string] | null;
  if (found === null) return null;
  const [status, queued] = found;
  return { status, queued: queued === '' ? null : (JSON.parse(queued) as QueuedJob) };
}
