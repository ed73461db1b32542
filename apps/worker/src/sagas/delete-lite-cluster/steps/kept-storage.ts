import { GatewayError } from '@gateway/core';
import { claimMarks, type KeptStorage } from '@gateway/lite';
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
    const { plugins } = clusterOf(context);
    const keptStorage = {
      volumes: plugins.includes('block_csi') ? await answered(context, countVolumes(context)) : 0,
      shares: plugins.includes('file_csi') ? await answered(context, countShares(context)) : 0,
    };
    await context.liteClusters.updateDeleted(clusterOf(context), { keptStorage });
    return { keptStorage };
  },
});

async function countVolumes({
  clusterId,
  projectId,
  remover,
}: DeleteLiteClusterStepContext): Promise<number> {
  const mark = { [claimMarks.volume]: clusterId };
  const found = await remover().blockStorage.volumes.list({ metadata: JSON.stringify(mark) });
  const own = found.filter(
    (volume) =>
      volume.metadata[claimMarks.volume] === clusterId &&
      (volume['os-vol-tenant-attr:tenant_id'] ?? projectId) === projectId,
  );
  return own.length;
}

async function countShares({ clusterId, projectId, remover }: DeleteLiteClusterStepContext): Promise<number> {
  const mark = { [claimMarks.share]: clusterId };
  const found = await remover().sharedFileSystem.shares.list({ metadata: JSON.stringify(mark) });
  const own = found.filter(
    ({ metadata, project_id }) => metadata[claimMarks.share] === clusterId && project_id === projectId,
  );
  return own.length;
}

async function answered({ logger }: DeleteLiteClusterStepContext, count: Promise<number>): Promise<number> {
  try {
    return await count;
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    logger.warn('The kept storage of a deleted cluster could not be counted', { error });
    return 0;
  }
}
