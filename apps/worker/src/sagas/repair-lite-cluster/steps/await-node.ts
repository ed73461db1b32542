import { clusterRepairProgress } from '@gateway/jobs';
import { awaitNewAgentsStep } from '../../lite-clusters/await-new-agents.ts';
import type { RepairLiteClusterContext, RepairLiteClusterState } from '../saga.ts';

export const awaitNewNode = awaitNewAgentsStep<RepairLiteClusterContext, RepairLiteClusterState>({
  step: 'nodes_joining',
  progress: clusterRepairProgress.nodes_joining,
  message: 'The new agent is joining the cluster.',
});
