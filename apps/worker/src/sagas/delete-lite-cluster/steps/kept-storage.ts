import { GatewayError } from '@gateway/core';
import type { KeptStorage } from '@gateway/lite';
import { countKeptShares, countKeptVolumes } from '../../../lite-cluster-checks/count-kept-storage.ts';
import { clusterOf, type DeleteLiteClusterStepContext, defineDeleteStep, hasRecord } from '../saga.ts';

const NONE: KeptStorage = { volumes: 0, shares: 0, snapshots: 0 };

/**
 * Counts the volumes and shares of claims and their snapshots, which are the project's data and stay. If a
 * service fails, the step does not fail, and the storage of that service is not counted.
 */
export const countKeptStorage = defineDeleteStep<{ keptStorage: KeptStorage }>({
  name: 'kept-storage',
  when: hasRecord,
  onRepeat: 'idempotent',
  async run(context) {
    const cluster = clusterOf(context);
    const client = context.remover();
    const { plugins } = cluster;
    const block = plugins.includes('block_csi')
      ? await answered(context, countKeptVolumes(client, cluster))
      : NONE;
    const file = plugins.includes('file_csi')
      ? await answered(context, countKeptShares(client, cluster))
      : NONE;
    const keptStorage: KeptStorage = {
      volumes: block.volumes,
      shares: file.shares,
      snapshots: (block.snapshots ?? 0) + (file.snapshots ?? 0),
    };
    await context.liteClusters.updateDeleted(cluster, { keptStorage });
    return { keptStorage };
  },
});

async function answered(
  { logger }: DeleteLiteClusterStepContext,
  count: Promise<KeptStorage>,
): Promise<KeptStorage> {
  try {
    return await count;
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    logger.warn('The kept storage of a deleted cluster could not be counted', { error });
    return NONE;
  }
}
