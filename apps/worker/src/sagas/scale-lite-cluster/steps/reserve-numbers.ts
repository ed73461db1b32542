import { reserveNumbersStep } from '../../lite-clusters/reserve-numbers.ts';
import { announce, type ScaleLiteClusterContext, type ScaleLiteClusterState } from '../saga.ts';

export const reserveNumbers = reserveNumbersStep<ScaleLiteClusterContext, ScaleLiteClusterState>(
  announce('nodes_creating', 'The new agents are being created.'),
);
