import { conflict } from '@gateway/core';
import { clusterScalingProgress } from '@gateway/jobs';
import { requireState } from '@gateway/saga';
import { requireLiteCluster } from '../../lite-clusters/context.ts';
import { releaseNumbers } from '../../lite-clusters/remove-node.ts';
import { defineScaleStep } from '../saga.ts';

/**
 * Records the numbers of the new agents as held, because their nodes may join before they are part of the
 * cluster. The rollback removes node objects of agents that have joined; a number stays held if its object
 * may still exist.
 */
export const reserveNumbers = defineScaleStep<{ areReserved: boolean }>({
  name: 'reserve-numbers',
  when: (context) => requireState(context, 'agentPlan').numbers.length > 0,
  beginUpdate: {
    step: 'nodes_creating',
    progress: clusterScalingProgress.nodes_creating,
    message: 'The new agents are being created.',
  },
  onRepeat: 'idempotent',
  async run(context) {
    const cluster = await requireLiteCluster(context);
    const { numbers } = requireState(context, 'agentPlan');
    const heldNumbers = [...new Set([...cluster.heldNumbers, ...numbers])];
    const areReserved = await context.liteClusters.update(cluster, { heldNumbers }, ['ACTIVE']);
    if (!areReserved) throw conflict('The cluster is being deleted.');
    return { areReserved };
  },
  async undo(context) {
    const cluster = await context.liteClusters.read(context.clusterId);
    if (cluster?.status !== 'ACTIVE') return;
    await releaseNumbers(context, cluster, requireState(context, 'agentPlan').numbers);
  },
});
