import type { LiteCluster } from '@gateway/lite';
import { ParkedError } from '@gateway/saga';
import { clusterOf, defineDeleteStep, hasRecord } from '../saga.ts';

/**
 * Cancels a creation or scaling of the cluster, and waits, parked, until it has rolled back. Then reads the
 * record again: it lists the resources that the job has left. Jobs that begin later find the cluster DELETED,
 * and do nothing.
 */
export const stopOtherJobs = defineDeleteStep<{ areStopped: boolean; cluster?: LiteCluster | null }>({
  name: 'stop-jobs',
  when: hasRecord,
  run: async () => ({ areStopped: false }),
  async settle(context) {
    if (!(await context.stopOtherJobs(clusterOf(context)))) {
      throw new ParkedError(context.config.jobs.pollIntervalMs);
    }
    return { areStopped: true, cluster: await context.liteClusters.read(context.clusterId) };
  },
});
