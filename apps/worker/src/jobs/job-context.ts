import { UnknownSealingKeyError } from '@gateway/core';
import type { JobPayload, JobType, QueuedJob } from '@gateway/jobs';
import type { CallContext, DelegatedIdentity } from '@gateway/openstack';
import type { Logger } from '@gateway/platform';
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
  /** The job only removes, which the service user can do without a credential that cannot be decrypted. */
  readonly onlyRemoves: boolean;
  /** For calls to services. Carries the request id into their logs. */
  readonly call: CallContext;
  readonly logger: Logger;
}

interface RunOptions {
  /** Called before each write to a service. */
  beforeWrite?: CallContext['beforeWrite'];
  onlyRemoves?: boolean;
}

/** @throws UnknownSealingKeyError if the credential cannot be decrypted and the job needs it */
export async function createJobContext(
  worker: WorkerContext,
  jobId: string,
  queued: QueuedJob,
  { beforeWrite, onlyRemoves = false }: RunOptions = {},
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
  const identity =
    credentialHandle === null
      ? null
      : await decrypted(() => worker.credentials.get(credentialHandle), { onlyRemoves });
  const credentials = new JobCredentials({
    openstack,
    serviceAccount,
    applicationCredentials,
    credential: identity,
    projectId,
    call,
    logger,
  });
  return { worker, jobId, type, payload, projectId, identity, credentials, onlyRemoves, call, logger };
}

/**
 * A stored credential; null if it cannot be decrypted and the job only removes.
 *
 * @throws UnknownSealingKeyError if it cannot be decrypted and the job needs it
 */
export async function decrypted<T>(
  read: () => Promise<T>,
  { onlyRemoves }: Pick<JobContext, 'onlyRemoves'>,
): Promise<T | null> {
  try {
    return await read();
  } catch (error) {
    if (onlyRemoves && error instanceof UnknownSealingKeyError) return null;
    throw error;
  }
}
