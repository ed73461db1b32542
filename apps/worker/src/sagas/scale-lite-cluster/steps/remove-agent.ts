import { removeServer, removeVolume } from '@gateway/inventory';
import { requireState, type Step } from '../../../saga/index.ts';
import { requireLiteCluster } from '../../lite-clusters/context.ts';
import { withNodes } from '../../lite-clusters/remove-node.ts';
import { removeAll, sweepAll } from '../../resources/remove-all.ts';
import { resultUnder } from '../../resources/resource-step.ts';
import { removalOptions } from '../../resources/wait-options.ts';
import { agentAt, nodeAt, removalUpdate } from '../removals.ts';
import type {
  RemovalKey,
  RemovedAgent,
  ScaleLiteClusterContext,
  ScaleLiteClusterState,
  ScaleLiteClusterStepContext,
} from '../saga.ts';

/**
 * Removes one agent, whose node is drained: the server, the node object and the volume. The server comes
 * first: if it cannot be deleted, the agent is still in the cluster. A rollback does not restore agents: a
 * failure or a cancellation ends the job between two agents, and the record lists the remaining ones.
 *
 * @param left how many agents are removed after this one; with the last one the cluster has the requested
 * number
 */
export function removeAgent(left: number): Step<ScaleLiteClusterContext, ScaleLiteClusterState> {
  const key: RemovalKey = `removed${left}`;
  return {
    name: `remove-agent-${left}`,
    when: (context) => left < requireState(context, 'removals').length,
    commits: left === 0,
    endsBeforeCancellation: true,
    beginUpdate: (context) =>
      removalUpdate(context, left, `The agent ${nodeAt(context, left)} is being removed.`),
    onRepeat: 'idempotent',
    async run(context) {
      const { liteClusters, config, ownerRemover } = context;
      const agent = agentAt(context, left);
      const cluster = await requireLiteCluster(context);
      await removeServer(
        ownerRemover(),
        agent.vmId,
        removalOptions(context, 'server', config.timeLimits.serverSeconds),
      );
      const isNodeGone = await withNodes(context, cluster, (api) => api.deleteNode(nodeAt(context, left)));
      await liteClusters.update(
        cluster,
        ({ agents, heldNumbers }) => ({
          agents: agents.filter(({ number }) => number !== agent.number),
          ...(!isNodeGone && { heldNumbers: [...heldNumbers, agent.number] }),
        }),
        ['ACTIVE'],
      );
      return resultUnder<ScaleLiteClusterState, RemovedAgent>(key, { leftovers: [] });
    },
    async settle(context) {
      const { undoSeconds } = context.config.timeLimits;
      const removed = await removeAll(context, volumeRemoval(context, left), undoSeconds * 1000);
      return resultUnder<ScaleLiteClusterState, RemovedAgent>(key, removed);
    },
    // If a later agent cannot be removed, the rollback completes the removal of this one.
    async undo(context) {
      for (const { remove } of volumeRemoval(context, left)) await remove();
    },
    leftovers: (result) => removedIn(result, key).leftovers,
    async sweep(context, result) {
      const { leftovers } = removedIn(result, key);
      const removed = await sweepAll(context, volumeRemoval(context, left), leftovers);
      return resultUnder<ScaleLiteClusterState, RemovedAgent>(key, removed);
    },
  };
}

/** The server's deletion removes the volume, unless the server was created with another setting. */
function volumeRemoval(context: ScaleLiteClusterStepContext, left: number) {
  const { volumeId } = agentAt(context, left);
  const wait = removalOptions(context, 'volume', context.config.timeLimits.volumeSeconds);
  return [{ type: 'volume', id: volumeId, remove: () => removeVolume(context, volumeId, wait, {}) }];
}

function removedIn(result: Partial<ScaleLiteClusterState>, key: RemovalKey): RemovedAgent {
  return result[key] ?? { leftovers: [] };
}
