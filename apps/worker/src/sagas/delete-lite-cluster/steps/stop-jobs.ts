import type { LiteCluster } from '@gateway/lite';
import { ParkedError } from '../../../saga/index.ts';
import { describeRest, SLOW_MS } from '../describe-rest.ts';
import { clusterOf, type DeleteLiteClusterStepContext, defineDeleteStep, hasRecord } from '../saga.ts';

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
      await describeMachines(context);
      throw new ParkedError(context.config.jobs.pollIntervalMs);
    }
    return { areStopped: true, cluster: await context.liteClusters.read(context.clusterId) };
  },
});

/** A rollback can take long. Until its end the machines in the record are left. */
async function describeMachines(context: DeleteLiteClusterStepContext): Promise<void> {
  if (Date.now() - context.since < SLOW_MS) return;
  const { agents, serverVmId } = clusterOf(context);
  const ids = [...agents.map(({ vmId }) => vmId), ...(serverVmId === null ? [] : [serverVmId])];
  const reason = 'Another job changes the cluster.';
  await describeRest(
    context,
    ids.map((id) => ({ type: 'server', id, reason })),
  );
}
