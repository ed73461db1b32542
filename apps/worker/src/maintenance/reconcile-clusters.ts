import { newRequestId } from '@gateway/core';
import { hasEnded, readJob } from '@gateway/jobs';
import { findLiteClusterDeletion, type LiteCluster } from '@gateway/lite';
import type { WorkerContext } from '../context.ts';

/** A younger cluster's job may still be on its way into the store, after a delegation was created for it. */
const MIN_AGE_MS = 5 * 60_000;

const LOST = 'The creation was lost. Please delete the cluster, and create it again.';

/**
 * Corrects records of clusters whose jobs have ended without them: a process died between writing the record
 * and queueing the job, or the store has lost the job. Encrypts secrets with the current key.
 */
export async function reconcileClusters(worker: WorkerContext): Promise<void> {
  const { liteClusters, logger, stopping } = worker;
  const check = async (ids: string[], correct: (cluster: LiteCluster) => Promise<void>) => {
    for (const id of ids) {
      if (stopping.signal.aborted) return;
      try {
        const cluster = await liteClusters.read(id);
        if (cluster !== null) await correct(cluster);
      } catch (error) {
        logger.warn('The record of a cluster could not be checked', { cluster_id: id, error });
      }
    }
  };
  await check(await liteClusters.openIds(), async (cluster) => {
    if (cluster.status === 'CREATING') await reconcileCreation(worker, cluster);
    await liteClusters.renewSeals(cluster);
  });
  await check(await liteClusters.removingIds(), (cluster) => restoreDeletion(worker, cluster));
}

async function reconcileCreation(worker: WorkerContext, cluster: LiteCluster): Promise<void> {
  const { liteClusters, logger, redis } = worker;
  if (Date.now() - cluster.createdAt < MIN_AGE_MS) return;
  const job = await readJob(redis.store, cluster.creationJobId);
  if (job !== null && !hasEnded(job)) return;
  const fields = { cluster_id: cluster.id };
  // No worker has seen a cluster whose record never changed, so nothing was created.
  if (job === null && cluster.updatedAt === cluster.createdAt) {
    await liteClusters.discard(cluster);
    logger.warn('The record of a cluster whose creation was not queued is removed', fields);
    return;
  }
  const statusReason = job?.failure?.detail ?? LOST;
  if (!(await liteClusters.update(cluster, { status: 'ERROR', statusReason }, ['CREATING']))) return;
  await liteClusters.destroySecrets(cluster);
  logger.warn('A cluster whose creation has ended is set to ERROR', fields);
}

/**
 * Queues the job of a deletion again if the store has lost it. The job has the rights of the gateway's own
 * user.
 */
async function restoreDeletion(worker: WorkerContext, cluster: LiteCluster): Promise<void> {
  const { liteClusters, logger, producer, redis } = worker;
  if (cluster.status !== 'DELETED') return;
  const { id: jobId, record } = await findLiteClusterDeletion(redis.store, cluster.id);
  if (record !== null) return;
  // Another worker, or the end of the job, may have come first.
  if (!(await liteClusters.removingIds()).includes(cluster.id)) return;
  const { id: clusterId, projectId, userId } = cluster;
  await producer.enqueueWithoutCredential(
    {
      type: 'lite.delete',
      payload: { clusterId },
      requestId: newRequestId(),
      jobId,
      resourceId: clusterId,
      resourceName: cluster.name,
    },
    { projectId, userId },
  );
  logger.warn('The lost deletion of a cluster is queued again', { cluster_id: clusterId, job_id: jobId });
}
