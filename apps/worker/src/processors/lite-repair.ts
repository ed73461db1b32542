import { sagaProcessor } from '../jobs/saga-processor.ts';
import { repairLiteClusterSteps } from '../sagas/repair-lite-cluster/index.ts';
import {
  NODE_NOT_DEAD,
  type RepairLiteClusterContext,
  type RepairLiteClusterState,
} from '../sagas/repair-lite-cluster/saga.ts';
import { liteClusterContext } from './lite-cluster-context.ts';
import { liteClusterMessages } from './lite-cluster-messages.ts';
import { recordClusterChange } from './record-cluster-change.ts';

export const liteClusterRepair = sagaProcessor<
  'lite.repair',
  RepairLiteClusterContext,
  RepairLiteClusterState
>((job) => ({
  steps: repairLiteClusterSteps,
  context: { ...liteClusterContext(job), input: job.payload },
  ...liteClusterMessages(job, 'The node is replaced.'),
  writes: { resource: 'lite_cluster', as: 'updated', touches: ['instance', 'volume', 'port'] },
  async recordOutcome(failure) {
    // Nothing is wrong with the cluster.
    if (failure?.code !== NODE_NOT_DEAD) await recordClusterChange(job, failure);
  },
}));
