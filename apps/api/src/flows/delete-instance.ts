import { GatewayError, isId } from '@gateway/core';
import { awaitJob, hasEnded, type InstanceStep, type JobEvent, readJob } from '@gateway/jobs';
import { JOB_METADATA_KEY } from '@gateway/views';
import type { RequestContext } from '../pipeline/request-context.ts';
import { cancelJobSoon } from './cancel-job.ts';
import { enqueueDelegated } from './delegate.ts';
import { getServerOfProject } from './read-instance.ts';

/** In which a creation makes its server. */
const MAKING_STEP: InstanceStep = 'SERVER_CREATING';

/**
 * Deletes an instance by a job, and comes back once the compute service has taken the delete: from then on
 * the clean-up goes on whatever happens here. An instance that is still being made is cancelled instead; its
 * own rollback removes everything.
 */
export async function deleteInstanceWithBelongings(
  request: RequestContext,
  instanceId: string,
): Promise<void> {
  const { app, caller, openstack, requestId } = request;
  const { projectId } = caller.identity;
  const server = await getServerOfProject({ openstack, projectId }, instanceId);
  const madeBy = server.metadata[JOB_METADATA_KEY];
  if (madeBy !== undefined && (await cancelCreation(request, madeBy, instanceId))) return;

  const jobId = await enqueueDelegated(request, (credential) =>
    app.producer.enqueue({
      type: 'instance.delete',
      payload: { instanceId },
      credential,
      requestId,
      resourceId: instanceId,
    }),
  );
  const record = await awaitJob(app.redis.store, app.relay, jobId, {
    timeoutMs: app.config.timeLimits.deleteAcceptSeconds * 1000,
    until: deleteWasTaken,
    signal: app.lastCall.signal,
  });
  if (record === null) {
    throw new GatewayError(504, 'timeout', 'The instance is still being deleted; its job goes on.', {
      jobId,
    });
  }
  const { failure } = record;
  if (failure !== null) throw new GatewayError(failure.status, failure.code, failure.detail, { jobId });
}

/** The step after the delete begins when the service has taken it. */
function deleteWasTaken({ data }: JobEvent): boolean {
  return (JSON.parse(data) as { step: string }).step === 'RESOURCES_DELETING';
}

/**
 * True when the instance was still being made by a job of this project, which now turns back and removes it. A job
 * that is just making its server, and can not tell yet which it is, turns back as well, or it would try to make another
 * one in place of the deleted one; but as only the server calls itself its work, that is deleted by itself.
 */
async function cancelCreation(request: RequestContext, jobId: string, instanceId: string): Promise<boolean> {
  const { app, caller } = request;
  // From the metadata of the server, which the user can write.
  if (!isId(jobId)) return false;
  const record = await readJob(app.redis.store, jobId);
  if (record?.type !== 'instance.create' || record.projectId !== caller.identity.projectId) return false;
  const { resourceId, step } = record;
  const isAboutToTell = resourceId === null && step === MAKING_STEP;
  if (hasEnded(record) || (resourceId !== instanceId && !isAboutToTell)) return false;
  return (await cancelJobSoon(request, record)) && !isAboutToTell;
}
