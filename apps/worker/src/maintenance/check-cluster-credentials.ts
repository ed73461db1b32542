import { newRequestId } from '@gateway/core';
import { checkClusterCredential } from '../clusters/check-credential.ts';
import type { WorkerContext } from '../context.ts';

/** Finds the clusters whose creators have lost the account or the role that the plugins work with. One after the other. */
export async function checkClusterCredentials(worker: WorkerContext): Promise<void> {
  const { clusters, config, logger, stopping } = worker;
  if (!config.services.lite) return;
  const call = { requestId: newRequestId() };
  for (const id of await clusters.openIds()) {
    if (stopping.signal.aborted) return;
    try {
      const cluster = await clusters.read(id);
      if (cluster?.status === 'ACTIVE') await checkClusterCredential(worker, cluster, call);
    } catch (error) {
      logger.warn('The credential of a cluster could not be checked', { cluster_id: id, error });
    }
  }
}
