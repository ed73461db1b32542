import { conflict } from '@gateway/core';
import type { LiteClusterAgent } from '@gateway/lite';
import type { Step, StepContext } from '../../saga/index.ts';
import { type AgentState, planOf } from './agent-steps.ts';
import { type LiteClusterContext, requireLiteCluster } from './context.ts';
import { withdrawAgents } from './record-agents.ts';
import { releaseNumbers } from './remove-node.ts';

/**
 * A step that records the numbers of the new agents as held, because their nodes may join before they are
 * part of the cluster. The rollback removes node objects of agents that have joined; a number stays held if
 * its object may still exist.
 *
 * @param replaced the agents that the new ones replace, which the rollback puts back into the record
 */
export function reserveNumbersStep<Context extends LiteClusterContext, State extends AgentState>(
  beginUpdate: NonNullable<Step<Context, State>['beginUpdate']>,
  replaced: (context: StepContext<Context, State>) => LiteClusterAgent[] = () => [],
): Step<Context, State> {
  return {
    name: 'reserve-numbers',
    when: (context) => planOf(context).numbers.length > 0,
    beginUpdate,
    onRepeat: 'idempotent',
    async run(context) {
      const cluster = await requireLiteCluster(context);
      const areReserved = await context.liteClusters.update(
        cluster,
        ({ heldNumbers }) => ({ heldNumbers: [...new Set([...heldNumbers, ...planOf(context).numbers])] }),
        ['ACTIVE'],
      );
      if (!areReserved) throw conflict('wrong_state', 'The cluster is being deleted.');
      return {};
    },
    async undo(context) {
      const cluster = await context.liteClusters.read(context.clusterId);
      if (cluster?.status !== 'ACTIVE') return;
      const { numbers } = planOf(context);
      const restored = await withdrawAgents(context, cluster, numbers, replaced(context));
      await releaseNumbers(context, restored, numbers);
    },
  };
}
