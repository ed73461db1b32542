import { awaitNewAgentsStep } from '../../lite-clusters/await-new-agents.ts';
import { announce, type ScaleLiteClusterContext, type ScaleLiteClusterState } from '../saga.ts';

export const awaitNewNodes = awaitNewAgentsStep<ScaleLiteClusterContext, ScaleLiteClusterState>(
  announce('nodes_joining', 'The new agents are joining the cluster.'),
);
