import { agentNodeName } from '@gateway/lite';
import type { Step } from '@gateway/saga';
import { type AgentState, planOf } from './agent-steps.ts';
import { awaitNodesStep } from './await-nodes.ts';
import type { LiteClusterContext } from './context.ts';

/** A step that waits, parked, until the nodes of the planned agents are ready. */
export function awaitNewAgentsStep<Context extends LiteClusterContext, State extends AgentState>(
  beginUpdate: NonNullable<Step<Context, State>['beginUpdate']>,
): Step<Context, State> {
  return {
    ...awaitNodesStep<Context, State>((context) => {
      const { cluster, numbers } = planOf(context);
      return numbers.map((number) => agentNodeName(cluster, number));
    }),
    when: (context) => planOf(context).numbers.length > 0,
    beginUpdate,
  };
}
