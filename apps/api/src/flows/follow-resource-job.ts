import type { JobPayload, JobType } from '@gateway/jobs';
import { JobStream } from '../http/streams/event-streams.ts';
import type { RequestContext } from '../pipeline/request-context.ts';
import { enqueueWithDelegation } from './enqueue-with-delegation.ts';
import { joinExistingJob } from './join-existing-job.ts';

/**
 * Enqueues a job that creates a resource of the caller, and follows its events. The job checks what needs a
 * call to a service.
 *
 * @param resource what is known of it, for the list of jobs
 */
export async function followResourceJob<T extends JobType>(
  request: RequestContext,
  type: T,
  payload: JobPayload<T>,
  resource: { resourceId?: string; resourceName?: string } = {},
): Promise<JobStream> {
  const { app, jobId, requestId } = request;
  if (await joinExistingJob(request)) return new JobStream(jobId);
  const started = await enqueueWithDelegation(request, (credential) =>
    app.producer.enqueue({ type, payload, ...resource, credential, requestId, jobId }),
  );
  return new JobStream(started);
}
