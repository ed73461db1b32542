import { lastStep } from '@gateway/jobs';
import type { JobRun, Processor } from '../jobs/processor.ts';
import { checkClusterCredential } from '../lite-cluster-checks/check-credential.ts';
import { checkHealth } from '../lite-cluster-checks/check-health.ts';

/**
 * Checks the health of one cluster and its credential now. The request that started the job reads the stored
 * result.
 */
export const liteClusterHealthCheck: Processor<'lite.health'> = { run: check };

async function check({ worker, payload, log, call, logger, type }: JobRun<'lite.health'>): Promise<void> {
  const cluster = await worker.liteClusters.read(payload.clusterId);
  if (cluster?.status === 'ACTIVE') {
    await checkHealth(worker, cluster);
    await checkClusterCredential(worker, cluster, call).catch((error: unknown) => {
      logger.warn('The credential of a cluster could not be checked', { cluster_id: cluster.id, error });
    });
  }
  await log.end({ ...lastStep(type, 'COMPLETED'), message: 'The check has ended.' }, { status: 'completed' });
}
