import { findAgent } from '@gateway/lite';
import { requireState, type Step } from '../../../saga/index.ts';
import { requireLiteCluster } from '../../lite-clusters/context.ts';
import { drainNode, inActiveCluster } from '../../lite-clusters/remove-node.ts';
import { resultUnder, valueUnder } from '../../resources/resource-step.ts';
import { nodeAt, removalUpdate } from '../removals.ts';
import type { DrainedNode, DrainKey, ScaleLiteClusterContext, ScaleLiteClusterState } from '../saga.ts';

/**
 * Drains the node of an agent before the agent is removed. A rollback lets the node take pods again if the
 * agent stays, for example because its server cannot be deleted.
 *
 * @param left how many agents are removed after this one
 */
export function drainAgent(left: number): Step<ScaleLiteClusterContext, ScaleLiteClusterState> {
  const key: DrainKey = `drained${left}`;
  const resultOf = (drained: DrainedNode) => resultUnder<ScaleLiteClusterState, DrainedNode>(key, drained);
  const drainedIn = (result: Partial<ScaleLiteClusterState>) =>
    valueUnder<ScaleLiteClusterState, DrainedNode>(result, key);
  return {
    name: `drain-agent-${left}`,
    when: (context) => left < requireState(context, 'removals').length,
    beginUpdate: (context) =>
      removalUpdate(context, left, `The node ${nodeAt(context, left)} is being drained.`),
    onRepeat: 'idempotent',
    run: async (context) => resultOf({ node: nodeAt(context, left), mayBeCordoned: true }),
    async settle(context, result) {
      const { node } = drainedIn(result);
      const deadline = context.since + context.config.timeLimits.liteDrainSeconds * 1000;
      const cluster = await requireLiteCluster(context);
      return resultOf({ node, mayBeCordoned: await drainNode(context, cluster, { node, deadline }) });
    },
    async undo(context, result) {
      const { node, mayBeCordoned } = drainedIn(result);
      if (!mayBeCordoned) return;
      await inActiveCluster(context, async (api, cluster) => {
        if (findAgent(cluster, node) !== undefined) await api.uncordonMarked(node, context.jobId);
      });
    },
    leftover: (result) => ({ type: 'node', id: drainedIn(result).node }),
  };
}
