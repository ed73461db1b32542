import { type ClusterUpgrade, clusterUpgradeProgress } from '@gateway/jobs';
import type { LiteCluster, PluginKey } from '@gateway/lite';
import { announcer, defineStep, type StepContext } from '../../saga/index.ts';
import type { LiteClusterContext } from '../lite-clusters/context.ts';
import type { PluginPlan } from '../lite-clusters/plugins.ts';

export interface UpgradeLiteClusterContext extends LiteClusterContext {
  input: ClusterUpgrade;
}

/** Decided before anything is changed. */
export interface UpgradePlan {
  cluster: Pick<LiteCluster, 'id' | 'name'>;
  /** The names of the nodes: the control node, then the agents in the order of their numbers. */
  nodes: string[];
  /** Null for a cluster without plugins. */
  plugins: {
    plan: PluginPlan;
    /** The plugins that worked before, and so must work with the new release. */
    working: PluginKey[];
  } | null;
}

/** The upgrade of one node. */
export interface NodeUpgrade {
  name: string;
  /** An upgraded node may still have the mark of the job and the pod. */
  phase: 'draining' | 'upgrading' | 'upgraded';
  /** When the phase began, in milliseconds since the epoch. */
  phaseSince: number;
}

export type NodeUpgradeKey = `nodeUpgrade${number}`;

/** The results of the steps. */
export interface UpgradeLiteClusterState {
  upgradePlan: UpgradePlan;
  arePluginsApplied: boolean;
  isRecorded: boolean;
  /** By the index of the node in the plan. */
  [nodeUpgrade: NodeUpgradeKey]: NodeUpgrade;
}

export type UpgradeLiteClusterStepContext = StepContext<UpgradeLiteClusterContext, UpgradeLiteClusterState>;

export const defineUpgradeStep = defineStep<UpgradeLiteClusterContext, UpgradeLiteClusterState>();

/** The progress update of a step's beginning. */
export const announce = announcer(clusterUpgradeProgress);
