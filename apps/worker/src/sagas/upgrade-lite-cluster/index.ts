import { MAX_AGENTS } from '@gateway/lite';
import type { Step } from '../../saga/index.ts';
import type { UpgradeLiteClusterContext, UpgradeLiteClusterState } from './saga.ts';
import { upgradeAgent, upgradeControlNode } from './steps/node.ts';
import { planUpgrade } from './steps/plan.ts';
import { upgradePlugins } from './steps/plugins.ts';
import { recordUpgrade } from './steps/record.ts';

/**
 * The upgrade of a cluster to another release of k3s: the control node, the agents one after the other, and
 * the plugins. A failure or a cancellation stops it: upgraded nodes stay so, and a rollback only uncordons.
 */
export const upgradeLiteClusterSteps: readonly Step<UpgradeLiteClusterContext, UpgradeLiteClusterState>[] = [
  planUpgrade,
  upgradeControlNode,
  ...Array.from({ length: MAX_AGENTS }, (_, index) => upgradeAgent(index + 1)),
  upgradePlugins,
  recordUpgrade,
];
