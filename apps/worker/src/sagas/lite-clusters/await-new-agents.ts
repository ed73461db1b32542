import { agentNodeName } from '@gateway/lite';
import type { Step } from '../../saga/index.ts';
import { type AgentState, createdAgents, planOf } from './agent-steps.ts';
import { awaitNodesStep } from './await-nodes.ts';
import type { LiteClusterContext } from './context.ts';

/** A step that waits, parked, until the nodes of the planned agents are ready. */
export function awaitNewAgentsStep<Context extends LiteClusterContext, State extends AgentState>(
  beginUpdate: NonNullable<Step<Context, State>['beginUpdate']>,
): Step<Context, State> {
  return {
    ...awaitNodesStep<Context, State>((context) => {
      const { cluster } = planOf(context);
      return createdAgents(context.state).map(({ number, vmId }) => ({
        name: agentNodeName(cluster, number),
        serverId: vmId,
      }));
    }),
    when: (context) => planOf(context).numbers.length > 0,
    beginUpdate,
  };
}
