import { isId, JOB_METADATA_KEY } from '@gateway/core';
import {
  type DeletedServer,
  hasEnded,
  type InstanceStep,
  type JobEvent,
  listJobs,
  readJob,
  readLastMessage,
} from '@gateway/jobs';
import type { ServerRecord } from '@gateway/openstack';
import { instanceActions } from '@gateway/resources';
import type { RequestContext } from '../pipeline/request-context.ts';
import { requireInProject } from '../resources/read-instance.ts';
import { requireAction } from '../resources/require-action.ts';
import { awaitEnd } from './await-end.ts';
import { enqueueWithDelegation } from './enqueue-with-delegation.ts';
import { requestJobCancel } from './request-job-cancel.ts';

/** The step in which a creation creates its server. */
const SERVER_STEP: InstanceStep = 'SERVER_CREATING';

/**
 * Enqueues a job that deletes an instance and its resources, and waits until the compute service has accepted
 * the deletion. The job then completes by itself. If the instance is still being created, the creation is
 * cancelled instead, and its rollback removes everything. See decision 5.
 */
export async function deleteInstanceWithResources(
  request: RequestContext,
  instanceId: string,
): Promise<void> {
  const { app, caller, openstack } = request;
  const { projectId } = caller.identity;
  const readAt = app.clock.now();
  const server = await openstack.lookups.server(instanceId);
  requireInProject(server, projectId);
  // The compute service checks the lock, too. But the rollback of a creation, which stands for the deletion
  // of an instance that is being created, has the rights of an administrator.
  requireAction(request, instanceActions.delete, server);
  const creationJobId = server.metadata?.[JOB_METADATA_KEY];
  if (creationJobId !== undefined && (await cancelCreation(request, creationJobId, instanceId))) return;

  const jobId =
    (await deletionInProgress(request, instanceId)) ??
    (await enqueueWithDelegation(request, {
      type: 'instance.delete',
      payload: { instanceId, server: deletedServer(server, readAt) },
      resourceId: instanceId,
      resourceName: server.name,
    }));
  request.startedJob(jobId);
  await awaitEnd(request, jobId, {
    timeoutSeconds: app.config.timeLimits.jobAcceptSeconds,
    until: isDeletionAccepted,
    async pending() {
      const said = await readLastMessage(app.redis.store, jobId).catch(() => null);
      return said?.message ?? 'The instance is still being deleted.';
    },
  });
}

/** A deletion can wait for an unavailable service. A repeated request joins its job. */
async function deletionInProgress(
  { app, caller }: RequestContext,
  instanceId: string,
): Promise<string | undefined> {
  const { projectId } = caller.identity;
  const latest = { projectId, resourceId: instanceId, type: 'instance.delete', limit: 1 } as const;
  const [job] = (await listJobs(app.redis.store, latest))?.jobs ?? [];
  return job === undefined || hasEnded(job) ? undefined : job.id;
}

function deletedServer(server: ServerRecord, readAt: number): DeletedServer {
  const attached = server['os-extended-volumes:volumes_attached'];
  const going = attached.filter(({ delete_on_termination }) => delete_on_termination);
  return {
    name: server.name,
    projectId: server.tenant_id,
    createdAt: server.created,
    metadata: server.metadata ?? {},
    volumeIds: going.map(({ id }) => id),
    readAt,
  };
}

/** `RESOURCES_DELETING` begins when the compute service has accepted the deletion of the server. */
function isDeletionAccepted({ data }: JobEvent): boolean {
  return (JSON.parse(data) as { step: string }).step === 'RESOURCES_DELETING';
}

/**
 * Cancels the job that creates the instance, if a job of this project does. Returns true if the job's
 * rollback removes the instance. A job that is just creating its server does not know the server's id yet.
 * That job is cancelled too, or else it would create another server in place of the deleted one. But only the
 * server's metadata links the instance to the job, so the result is false and the instance is also deleted
 * directly.
 */
async function cancelCreation(request: RequestContext, jobId: string, instanceId: string): Promise<boolean> {
  const { app, caller } = request;
  // The id comes from the server's metadata, which users can write.
  if (!isId(jobId)) return false;
  const record = await readJob(app.redis.store, jobId);
  if (record?.type !== 'instance.create' || record.projectId !== caller.identity.projectId) return false;
  const { resourceId, step } = record;
  const isServerIdUnknown = resourceId === null && step === SERVER_STEP;
  if (hasEnded(record) || (resourceId !== instanceId && !isServerIdUnknown)) return false;
  return (await requestJobCancel(request, record)) && !isServerIdUnknown;
}
