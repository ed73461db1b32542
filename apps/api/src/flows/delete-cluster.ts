import { conflict } from '@gateway/core';
import { hasEnded, readExclusiveJob, readJob } from '@gateway/jobs';
import { type Cluster, clusterSubject, findDeletionJob } from '@gateway/lite';
import type { RequestContext } from '../pipeline/request-context.ts';
import { getClusterOfProject } from '../resources/read-cluster.ts';
import { requestJobCancel } from './cancel-job.ts';
import { enqueueWithDelegation } from './enqueue-with-delegation.ts';

/**
 * Marks a cluster as DELETED, in whatever state it is, and leaves the removal of its resources to a job. The job is enqueued
 * first: it marks the cluster too, in case this process dies in between. A repeat joins the job.
 */
export async function deleteCluster(request: RequestContext, clusterId: string): Promise<void> {
  const { app, requestId } = request;
  const cluster = await getClusterOfProject(request, clusterId);
  if (cluster.status === 'DELETED') return;
  const { id: jobId } = await findDeletionJob(app.redis.store, clusterId);
  await enqueueWithDelegation(request, (credential) =>
    app.producer.enqueue({
      type: 'lite.delete',
      payload: { clusterId },
      credential,
      requestId,
      jobId,
      resourceId: clusterId,
    }),
  );
  const change = { status: 'DELETED', deletedAt: app.clock.now(), statusReason: null } as const;
  const isMarked = await app.clusters.update(cluster, change, ['CREATING', 'ACTIVE', 'ERROR']);
  if (!isMarked && (await app.clusters.read(clusterId))?.status !== 'DELETED') {
    throw conflict('The cluster could not be deleted. Please try again.');
  }
  await cancelOtherJobs(request, cluster);
}

/** Only sooner than the job of the deletion does it. */
async function cancelOtherJobs(request: RequestContext, cluster: Cluster): Promise<void> {
  const { store } = request.app.redis;
  try {
    const jobs = await Promise.all([
      readJob(store, cluster.creationJobId),
      readExclusiveJob(store, clusterSubject(cluster.id)),
    ]);
    for (const job of jobs) if (job !== null && !hasEnded(job)) await requestJobCancel(request, job);
  } catch (error) {
    request.logger.debug('The jobs of a deleted cluster are cancelled later', { error });
  }
}
