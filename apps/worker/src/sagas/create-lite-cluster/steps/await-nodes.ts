import { agentNodeName, serverNodeName } from '@gateway/lite';
import { requireState } from '../../../saga/index.ts';
import { createdAgents } from '../../lite-clusters/agent-steps.ts';
import { awaitNodesStep } from '../../lite-clusters/await-nodes.ts';
import type { CreateLiteClusterContext, CreateLiteClusterState } from '../saga.ts';

export const awaitNodes = awaitNodesStep<CreateLiteClusterContext, CreateLiteClusterState>((context) => {
  const { cluster } = requireState(context, 'agentPlan');
  const agents = createdAgents(context.state).map(({ number, vmId }) => ({
    name: agentNodeName(cluster, number),
    serverId: vmId,
  }));
  return [{ name: serverNodeName(cluster), serverId: requireState(context, 'serverId') }, ...agents];
});
