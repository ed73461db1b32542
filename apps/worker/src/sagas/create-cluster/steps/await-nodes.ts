import { agentNodeName, serverNodeName } from '@gateway/lite';
import { requireState } from '@gateway/saga';
import { awaitNodesStep } from '../../clusters/await-nodes.ts';
import type { CreateClusterContext, CreateClusterState } from '../saga.ts';

export const awaitNodes = awaitNodesStep<CreateClusterContext, CreateClusterState>((context) => {
  const { cluster, numbers } = requireState(context, 'agentPlan');
  return [serverNodeName(cluster), ...numbers.map((number) => agentNodeName(cluster, number))];
});
