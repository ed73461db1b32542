import type { LiteCluster } from '@gateway/lite';
import { announce, defineDeleteStep } from '../saga.ts';

/**
 * Marks the record as DELETED. The request does the same, unless its process dies. From here on the job only
 * moves forward.
 */
export const markDeleted = defineDeleteStep<{ cluster: LiteCluster | null }>({
  name: 'mark-deleted',
  beginUpdate: announce('stopping', 'Running operations of the cluster are being stopped.'),
  commits: true,
  onRepeat: 'idempotent',
  async run({ liteClusters, clusterId }) {
    const cluster = await liteClusters.read(clusterId);
    if (cluster === null) return { cluster };
    const change = { status: 'DELETED', deletedAt: Date.now(), statusReason: null } as const;
    await liteClusters.update(cluster, change, ['CREATING', 'ACTIVE', 'ERROR']);
    return { cluster };
  },
});
