import { clusterDeletionProgress } from '@gateway/jobs';
import type { Cluster } from '@gateway/lite';
import { defineDeleteStep } from '../saga.ts';

/**
 * Marks the record as DELETED, which the request does too unless its process dies. From here on the job only moves forward.
 */
export const markDeleted = defineDeleteStep<{ cluster: Cluster | null }>({
  name: 'mark',
  beginUpdate: {
    step: 'stopping',
    progress: clusterDeletionProgress.stopping,
    message: 'Running operations of the cluster are being stopped.',
  },
  commits: true,
  idempotent: true,
  async run({ clusters, clusterId }) {
    const cluster = await clusters.read(clusterId);
    if (cluster === null) return { cluster };
    const change = { status: 'DELETED', deletedAt: Date.now(), statusReason: null } as const;
    await clusters.update(cluster, change, ['CREATING', 'ACTIVE', 'ERROR']);
    return { cluster };
  },
});
