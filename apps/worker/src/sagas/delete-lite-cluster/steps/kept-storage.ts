import { GatewayError } from '@gateway/core';
import type { KeptStorage } from '@gateway/lite';
import { countKeptShares, countKeptVolumes } from '../../../lite-cluster-checks/count-kept-storage.ts';
import { clusterOf, type DeleteLiteClusterStepContext, defineDeleteStep, hasRecord } from '../saga.ts';

/**
 * Counts the volumes and shares of claims, which are the project's data and stay. If a service fails, the
 * step does not fail, and the storage of that service is not counted.
 */
export const countKeptStorage = defineDeleteStep<{ keptStorage: KeptStorage }>({
  name: 'kept-storage',
  when: hasRecord,
  onRepeat: 'idempotent',
  async run(context) {
    const cluster = clusterOf(context);
    const client = context.remover();
    const { plugins } = cluster;
    const keptStorage = {
      volumes: plugins.includes('block_csi') ? await answered(context, countKeptVolumes(client, cluster)) : 0,
      shares: plugins.includes('file_csi') ? await answered(context, countKeptShares(client, cluster)) : 0,
    };
    await context.liteClusters.updateDeleted(cluster, { keptStorage });
    return { keptStorage };
  },
});

async function answered({ logger }: DeleteLiteClusterStepContext, count: Promise<number>): Promise<number> {
  try {
    return await count;
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    logger.warn('The kept storage of a deleted cluster could not be counted', { error });
    return 0;
  }
}
