import { GatewayError } from '@gateway/core';
import { awaitJob, failureError, type JobEvent, type JobRecord } from '@gateway/jobs';
import type { RequestContext } from '../pipeline/request-context.ts';

interface Wait {
  timeoutSeconds: number;
  /** Ends the wait at an event before the end of the job. */
  until?: (event: JobEvent) => boolean;
  /** What the job still does after the time limit: a sentence for people. */
  pending: () => string | Promise<string>;
}

/**
 * Waits for the end of a job, and returns its record.
 *
 * @throws the failure of the job; 504 with the id of the job if it takes longer than the time limit
 */
export async function awaitEnd(
  { app }: Pick<RequestContext, 'app'>,
  jobId: string,
  { pending, timeoutSeconds, until }: Wait,
): Promise<JobRecord> {
  const record = await awaitJob(app.redis.store, app.relay, jobId, {
    timeoutMs: timeoutSeconds * 1000,
    until,
    signal: app.waitAbort.signal,
  });
  if (record === null) {
    throw new GatewayError(504, 'timeout', `${await pending()} The job continues.`, { jobId });
  }
  if (record.failure !== null) throw failureError(record.failure, jobId);
  return record;
}
