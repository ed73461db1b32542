import { conflict } from '@gateway/core';
import { hasEnded, readExclusiveJob, readJob } from '@gateway/jobs';
import { findLiteClusterDeletion, type LiteCluster, liteClusterSubject } from '@gateway/lite';
import type { RequestContext } from '../pipeline/request-context.ts';
import { liteClusterActions } from '../resources/lite-cluster-actions.ts';
import { getOwnLiteCluster } from '../resources/own-lite-cluster.ts';
import { requireAction } from '../resources/require-action.ts';
import { enqueueWithDelegation } from './enqueue-with-delegation.ts';
import { requestJobCancel } from './request-job-cancel.ts';

/**
 * Marks a cluster as DELETED, whatever its state, and leaves the removal of its resources to a job. The job
 * is enqueued first: it also marks the cluster, in case this process dies in between. A repeat joins the job.
 */
export async function deleteLiteClusterByJob(request: RequestContext, clusterId: string): Promise<void> {
  const { app } = request;
  const cluster = await getOwnLiteCluster(request, clusterId);
  if (cluster.status === 'DELETED') return;
  requireAction(request, liteClusterActions.delete, { cluster, busyWith: null });
  const { id: jobId } = await findLiteClusterDeletion(app.redis.store, clusterId);
  await enqueueWithDelegation(request, {
    type: 'lite.delete',
    payload: { clusterId },
    jobId,
    resourceId: clusterId,
    resourceName: cluster.name,
  });
  request.startedJob(jobId);
  const change = { status: 'DELETED', deletedAt: app.clock.now(), statusReason: null } as const;
  const isMarked = await app.liteClusters.update(cluster, change, ['CREATING', 'ACTIVE', 'ERROR']);
  if (!isMarked && (await app.liteClusters.read(clusterId))?.status !== 'DELETED') {
    throw conflict('busy', 'The cluster could not be deleted. Please try again.');
  }
  await cancelOtherJobs(request, cluster);
}

/** The deletion job does the same, but later. */
async function cancelOtherJobs(request: RequestContext, cluster: LiteCluster): Promise<void> {
  const { store } = request.app.redis;
  try {
    const jobs = await Promise.all([
      readJob(store, cluster.creationJobId),
      readExclusiveJob(store, liteClusterSubject(cluster.id)),
    ]);
    for (const job of jobs) if (job !== null && !hasEnded(job)) await requestJobCancel(request, job);
  } catch (error) {
    request.logger.debug('The jobs of a deleted cluster are cancelled later', { error });
  }
}
