import type { Leftover } from '@gateway/jobs';
import type { KeptStorage } from '@gateway/lite';
import { countKeptShares, countKeptVolumes } from '../../../lite-cluster-checks/count-kept-storage.ts';
import { Searches } from '../../resources/searches.ts';
import { endSearch } from '../describe-rest.ts';
import { clusterOf, type DeleteLiteClusterStepContext, defineDeleteStep, hasRecord } from '../saga.ts';

const NONE: KeptStorage = { volumes: 0, shares: 0, snapshots: 0 };

/**
 * Counts the volumes and shares of claims and their snapshots, which are the project's data and stay. What
 * cannot be counted now is a leftover: each sweep counts again.
 */
export const countKeptStorage = defineDeleteStep<{ keptStorage: KeptStorage; storageLeft: Leftover[] }>({
  name: 'kept-storage',
  when: hasRecord,
  onRepeat: 'idempotent',
  async run(context) {
    const searches = new Searches(context);
    const keptStorage = await count(context, searches);
    const { undoSeconds } = context.config.timeLimits;
    return { keptStorage, storageLeft: await endSearch(context, searches, undoSeconds * 1000) };
  },
  leftovers: ({ storageLeft = [] }) => storageLeft,
  async sweep(context) {
    const searches = new Searches(context);
    return { keptStorage: await count(context, searches), storageLeft: searches.left };
  },
});

async function count(context: DeleteLiteClusterStepContext, searches: Searches): Promise<KeptStorage> {
  const cluster = clusterOf(context);
  const client = context.remover();
  const { plugins } = cluster;
  const block = plugins.includes('block_csi')
    ? await searches.of('claim_volume', () => countKeptVolumes(client, cluster), NONE)
    : NONE;
  const file = plugins.includes('file_csi')
    ? await searches.of('claim_share', () => countKeptShares(client, cluster), NONE)
    : NONE;
  const keptStorage: KeptStorage = {
    volumes: block.volumes,
    shares: file.shares,
    snapshots: (block.snapshots ?? 0) + (file.snapshots ?? 0),
  };
  await context.liteClusters.updateDeleted(cluster, { keptStorage });
  return keptStorage;
}
