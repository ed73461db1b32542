import { newRequestId } from '@gateway/core';
import type { LiteCluster } from '@gateway/lite';
import type { WorkerContext } from '../context.ts';
import { JobCredentials } from '../jobs/job-credentials.ts';
import { findKeptShares, findKeptVolumes } from '../lite-cluster-checks/count-kept-storage.ts';

/** The next run continues. */
const MAX_RECORDS = 500;

/**
 * Ends the records of clusters whose resources were removed long ago. A record whose `status_reason` names
 * kept storage stays while the storage exists, or cannot be counted; it is considered again after the same
 * time.
 */
export async function endClusterRecords(worker: WorkerContext): Promise<void> {
  const { config, liteClusters, logger, stopping } = worker;
  const now = Date.now();
  const due = await liteClusters.idsRemovedBefore(now - config.lite.deletedKeepSeconds * 1000, MAX_RECORDS);
  for (const id of due) {
    if (stopping.signal.aborted) return;
    try {
      const cluster = await liteClusters.read(id);
      if (cluster !== null) await endRecord(worker, cluster, now);
    } catch (error) {
      logger.warn('The record of a deleted cluster could not be ended', { cluster_id: id, error });
    }
  }
}

async function endRecord(worker: WorkerContext, cluster: LiteCluster, now: number): Promise<void> {
  const { liteClusters, logger } = worker;
  try {
    if (await hasKeptStorage(worker, cluster)) await liteClusters.finishRemoval(cluster, now);
    else await liteClusters.removeRecord(cluster);
  } catch (error) {
    await liteClusters.finishRemoval(cluster, now);
    logger.warn('The kept storage of a deleted cluster could not be counted', {
      cluster_id: cluster.id,
      error,
    });
  }
}

/** Counts only storage that was counted before: most clusters have none. */
async function hasKeptStorage(worker: WorkerContext, cluster: LiteCluster): Promise<boolean> {
  const { volumes, shares } = cluster.keptStorage ?? { volumes: 0, shares: 0 };
  if (volumes === 0 && shares === 0) return false;
  const { remover } = new JobCredentials({
    ...worker,
    credential: null,
    projectId: cluster.projectId,
    call: { requestId: newRequestId() },
  });
  if (volumes > 0 && (await findKeptVolumes(remover, cluster)).length > 0) return true;
  return shares > 0 && (await findKeptShares(remover, cluster)).length > 0;
}
