import { clusterScalingProgress } from '@gateway/jobs';
import { reserveNumbersStep } from '../../lite-clusters/reserve-numbers.ts';
import type { ScaleLiteClusterContext, ScaleLiteClusterState } from '../saga.ts';

export const reserveNumbers = reserveNumbersStep<ScaleLiteClusterContext, ScaleLiteClusterState>({
  step: 'nodes_creating',
  progress: clusterScalingProgress.nodes_creating,
  message: 'The new agents are being created.',
});
