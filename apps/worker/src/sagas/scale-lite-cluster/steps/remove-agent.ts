import { removeServer, removeVolume } from '@gateway/inventory';
import { clusterScalingProgress } from '@gateway/jobs';
import { agentNodeName } from '@gateway/lite';
import { requireState, type Step } from '../../../saga/index.ts';
import { requireLiteCluster } from '../../lite-clusters/context.ts';
import { drainAndRemoveNode } from '../../lite-clusters/remove-node.ts';
import { removeAll, sweepAll } from '../../resources/remove-all.ts';
import { resultUnder } from '../../resources/state-key.ts';
import { removalOptions } from '../../resources/wait-options.ts';
import type {
  RemovalKey,
  RemovedAgent,
  ScaleLiteClusterContext,
  ScaleLiteClusterState,
  ScaleLiteClusterStepContext,
} from '../saga.ts';

const LAST_PROGRESS = 90;

/**
 * Removes one agent: drains its node, removes the node object, the server, and the volume. A rollback does
 * not restore agents: a failure or a cancellation ends the job between two agents, and the record lists the
 * remaining ones.
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
    beginUpdate: (context) => {
      const { length } = requireState(context, 'removals');
      const { nodes_removing: from } = clusterScalingProgress;
      const done = (length - 1 - left) / length;
      return {
        step: 'nodes_removing',
        progress: Math.round(from + done * (LAST_PROGRESS - from)),
        message: `The agent ${nodeAt(context, left)} is being removed.`,
      };
    },
    onRepeat: 'idempotent',
    async run(context) {
      const { liteClusters, config, ownerRemover, signal, since } = context;
      const agent = agentAt(context, left);
      const cluster = await requireLiteCluster(context);
      const deadline = since + config.timeLimits.liteDrainSeconds * 1000;
      const isNodeGone = await drainAndRemoveNode(context, cluster, { number: agent.number, deadline });
      // The timeout starts now: the drain may have taken its whole time.
      const step = { config, signal, since: Date.now() };
      await removeServer(
        ownerRemover(),
        agent.vmId,
        removalOptions(step, 'server', config.timeLimits.serverSeconds),
      );
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

function agentAt(context: ScaleLiteClusterStepContext, left: number) {
  const agent = requireState(context, 'removals').at(-1 - left);
  if (agent === undefined) throw new Error('There is no such agent to remove.');
  return agent;
}

function nodeAt(context: ScaleLiteClusterStepContext, left: number): string {
  return agentNodeName(requireState(context, 'agentPlan').cluster, agentAt(context, left).number);
}
