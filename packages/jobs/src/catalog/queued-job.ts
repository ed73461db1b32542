import type { TraceContext } from '@gateway/platform';
import type { JobPayload, JobType } from './catalog.ts';

/** A queue entry. It contains no secret, only handles. The entry's id is the job's id. */
export interface QueuedJob<T extends JobType = JobType> {
  type: T;
  payload: JobPayload<T>;
  /** Null for a job with rights of its own. */
  credentialHandle: string | null;
  requestId: string;
  projectId: string;
  /** The trace of the request, which all runs of the job continue. Absent without traces. */
  trace?: TraceContext;
}
