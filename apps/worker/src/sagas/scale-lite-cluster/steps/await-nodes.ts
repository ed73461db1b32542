import { clusterScalingProgress } from '@gateway/jobs';
import { awaitNewAgentsStep } from '../../lite-clusters/await-new-agents.ts';
import type { ScaleLiteClusterContext, ScaleLiteClusterState } from '../saga.ts';

export const awaitNewNodes = awaitNewAgentsStep<ScaleLiteClusterContext, ScaleLiteClusterState>({
  step: 'nodes_joining',
  progress: clusterScalingProgress.nodes_joining,
  message: 'The new agents are joining the cluster.',
});
