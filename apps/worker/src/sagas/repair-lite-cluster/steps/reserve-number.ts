import { requireState } from '../../../saga/index.ts';
import { reserveNumbersStep } from '../../lite-clusters/reserve-numbers.ts';
import { announce, type RepairLiteClusterContext, type RepairLiteClusterState } from '../saga.ts';

export const reserveNumber = reserveNumbersStep<RepairLiteClusterContext, RepairLiteClusterState>(
  announce('nodes_creating', 'The new agent is being created.'),
  (context) => [requireState(context, 'replaced')],
);
