import { agentNodeName, serverNodeName } from '@gateway/lite';
import { requireState } from '@gateway/saga';
import { awaitNodesStep } from '../../lite-clusters/await-nodes.ts';
import type { CreateLiteClusterContext, CreateLiteClusterState } from '../saga.ts';

export const awaitNodes = awaitNodesStep<CreateLiteClusterContext, CreateLiteClusterState>((context) => {
  const { cluster, numbers } = requireState(context, 'agentPlan');
  return [serverNodeName(cluster), ...numbers.map((number) => agentNodeName(cluster, number))];
});
