import { clusterUpgradeProgress } from '@gateway/jobs';
import { type PublishProgress, requireState, type Step } from '../../../saga/index.ts';
import { inActiveCluster } from '../../lite-clusters/remove-node.ts';
import { resultUnder } from '../../resources/resource-step.ts';
import { advanceNode, cleanUp } from '../advance-node.ts';
import type {
  NodeUpgrade,
  NodeUpgradeKey,
  UpgradeLiteClusterContext,
  UpgradeLiteClusterState,
  UpgradeLiteClusterStepContext,
} from '../saga.ts';

type UpgradeStep = Step<UpgradeLiteClusterContext, UpgradeLiteClusterState>;

const PHASES = {
  draining: 'is being drained',
  upgrading: 'is being upgraded',
  upgraded: 'is upgraded',
} as const satisfies Record<NodeUpgrade['phase'], string>;

/** The control node is not drained: its pods keep running, and may have no other node. */
export const upgradeControlNode: UpgradeStep = upgradeNode(0, 'control-node');

/** @param index of the node in the plan */
export function upgradeAgent(index: number): UpgradeStep {
  return upgradeNode(index, `agent-${index - 1}`);
}

function upgradeNode(index: number, stepName: string): UpgradeStep {
  const key: NodeUpgradeKey = `nodeUpgrade${index}`;
  const nameIn = (context: UpgradeLiteClusterStepContext) =>
    requireState(context, 'upgradePlan').nodes[index];
  const update = (context: UpgradeLiteClusterStepContext, phase: NodeUpgrade['phase']) => ({
    step: index === 0 ? 'control_node_upgrading' : 'agents_upgrading',
    progress: progressOf(context, index),
    message: `The node ${nameIn(context)} ${PHASES[phase]}.`,
  });
  const firstPhase = index === 0 ? 'upgrading' : 'draining';
  return {
    name: stepName,
    when: (context) => nameIn(context) !== undefined,
    beginUpdate: (context) => update(context, firstPhase),
    onRepeat: 'idempotent',
    async run(context) {
      const upgrade: NodeUpgrade = { name: nameIn(context) ?? '', phase: firstPhase, phaseSince: Date.now() };
      return resultUnder<UpgradeLiteClusterState, NodeUpgrade>(key, upgrade);
    },
    async settle(context, result, publish: PublishProgress<UpgradeLiteClusterState>) {
      let upgrade = upgradeIn(result, key);
      const begin = async (phase: NodeUpgrade['phase']) => {
        upgrade = { ...upgrade, phase, phaseSince: Date.now() };
        await publish(
          update(context, phase),
          resultUnder<UpgradeLiteClusterState, NodeUpgrade>(key, upgrade),
        );
      };
      await advanceNode(context, index === 0 ? 'server' : 'agent', () => upgrade, begin);
      return undefined;
    },
    /** The machine ends an upgrade that has begun by itself. */
    async undo(context, result) {
      // A pod that waits for its image would begin later.
      await inActiveCluster(context, (api) => cleanUp(api, upgradeIn(result, key).name, context.jobId));
    },
    leftover: (result) => ({ type: 'node', id: upgradeIn(result, key).name }),
  };
}

function upgradeIn(result: Partial<UpgradeLiteClusterState>, key: NodeUpgradeKey): NodeUpgrade {
  const upgrade = result[key];
  if (upgrade === undefined) throw new Error('The upgrade of a node has not begun.');
  return upgrade;
}

function progressOf(context: UpgradeLiteClusterStepContext, index: number): number {
  const {
    control_node_upgrading: first,
    agents_upgrading: from,
    plugins_upgrading: to,
  } = clusterUpgradeProgress;
  if (index === 0) return first;
  const agents = requireState(context, 'upgradePlan').nodes.length - 1;
  return Math.round(from + ((index - 1) / agents) * (to - from));
}
