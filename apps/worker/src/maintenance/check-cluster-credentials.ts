import { newRequestId } from '@gateway/core';
import type { WorkerContext } from '../context.ts';
import { checkClusterCredential } from '../lite-cluster-checks/check-credential.ts';

/**
 * Finds the clusters whose creators have lost the account or the role that the plugins need. Checks one
 * cluster at a time.
 */
export async function checkClusterCredentials(worker: WorkerContext): Promise<void> {
  const { liteClusters, config, logger, stopping } = worker;
  if (!config.services.lite) return;
  const call = { requestId: newRequestId() };
  for (const id of await liteClusters.openIds()) {
    if (stopping.signal.aborted) return;
    try {
      const cluster = await liteClusters.read(id);
      if (cluster?.status === 'ACTIVE') await checkClusterCredential(worker, cluster, call);
    } catch (error) {
      logger.warn('The credential of a cluster could not be checked', { cluster_id: id, error });
    }
  }
}
