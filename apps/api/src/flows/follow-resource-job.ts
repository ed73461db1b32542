import type { JobPayload, JobType } from '@gateway/jobs';
import { JobStream } from '../http/streams/event-streams.ts';
import type { RequestContext } from '../pipeline/request-context.ts';
import { enqueueWithDelegation } from './enqueue-with-delegation.ts';
import { joinExistingJob } from './join-existing-job.ts';

/** What is known of the resource, for the list of jobs; and what a service says of it before, if anything. */
interface Followed {
  resourceId?: string;
  resourceName?: string;
  check?(): Promise<void>;
}

/**
 * Enqueues a job that creates a resource of the caller, and follows its events. The job checks what needs a
 * call to a service. A request that names its subject in the path has a `check` of it as well, which is left
 * out if the job exists already.
 */
export async function followResourceJob<T extends JobType>(
  request: RequestContext,
  type: T,
  payload: JobPayload<T>,
  { check, ...resource }: Followed = {},
): Promise<JobStream> {
  const known = { resourceId: resource.resourceId ?? null };
  if (await joinExistingJob(request)) return new JobStream(request.jobId, known);
  await check?.();
  return new JobStream(await enqueueWithDelegation(request, { type, payload, ...resource }), known);
}
