import type { JobPayload, JobType, QueuedJob } from '@gateway/jobs';
import type { CallContext, DelegatedIdentity } from '@gateway/openstack';
import type { Logger } from '@gateway/telemetry';
import type { WorkerContext } from '../context.ts';
import { JobCredentials } from './job-credentials.ts';

/** The dependencies of a run or a sweep of a job. */
export interface JobContext<T extends JobType = JobType> {
  readonly worker: WorkerContext;
  readonly jobId: string;
  readonly type: T;
  readonly payload: JobPayload<T>;
  readonly projectId: string;
  /**
   * The user who started the job; null when their token has expired, or for a job that stores no credential.
   */
  readonly identity: DelegatedIdentity | null;
  /** The identities that the job's calls use; usable after the token has expired. */
  readonly credentials: JobCredentials;
  /** For calls to services. Carries the request id into their logs. */
  readonly call: CallContext;
  readonly logger: Logger;
}

/** `beforeWrite` is called before each write to a service. */
export async function createJobContext(
  worker: WorkerContext,
  jobId: string,
  queued: QueuedJob,
  beforeWrite?: CallContext['beforeWrite'],
): Promise<JobContext> {
  const { type, payload, credentialHandle, requestId, projectId } = queued;
  const { applicationCredentials, openstack, serviceAccount } = worker;
  const call: CallContext = { requestId, beforeWrite };
  const logger = worker.logger.child({
    job_id: jobId,
    job_type: type,
    request_id: requestId,
    project_id: projectId,
  });
  const identity = credentialHandle === null ? null : await worker.credentials.get(credentialHandle);
  const credentials = new JobCredentials({
    openstack,
    serviceAccount,
    applicationCredentials,
    credential: identity,
    projectId,
    call,
    logger,
  });
  return { worker, jobId, type, payload, projectId, identity, credentials, call, logger };
}
