import { awaitNewAgentsStep } from '../../lite-clusters/await-new-agents.ts';
import { announce, type RepairLiteClusterContext, type RepairLiteClusterState } from '../saga.ts';

export const awaitNewNode = awaitNewAgentsStep<RepairLiteClusterContext, RepairLiteClusterState>(
  announce('nodes_joining', 'The new agent is joining the cluster.'),
);
