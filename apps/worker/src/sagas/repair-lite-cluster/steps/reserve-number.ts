import { clusterRepairProgress } from '@gateway/jobs';
import { requireState } from '../../../saga/index.ts';
import { reserveNumbersStep } from '../../lite-clusters/reserve-numbers.ts';
import type { RepairLiteClusterContext, RepairLiteClusterState } from '../saga.ts';

export const reserveNumber = reserveNumbersStep<RepairLiteClusterContext, RepairLiteClusterState>(
  {
    step: 'nodes_creating',
    progress: clusterRepairProgress.nodes_creating,
    message: 'The new agent is being created.',
  },
  (context) => [requireState(context, 'replaced')],
);
