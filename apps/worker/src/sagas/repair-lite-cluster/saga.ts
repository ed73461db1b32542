import { type ClusterRepair, clusterRepairProgress, type Leftover } from '@gateway/jobs';
import type { LiteClusterAgent } from '@gateway/lite';
import { announcer, defineStep, type StepContext } from '../../saga/index.ts';
import type { AgentState } from '../lite-clusters/agent-steps.ts';
import type { LiteClusterContext } from '../lite-clusters/context.ts';

export interface RepairLiteClusterContext extends LiteClusterContext {
  input: ClusterRepair;
}

/** The code of the refusal to replace an agent that may be alive. */
export const NODE_NOT_DEAD = 'node_not_dead';

/** The results of the steps. The plan has one new agent. */
export interface RepairLiteClusterState extends AgentState {
  /** The agent that is replaced. */
  replaced: LiteClusterAgent;
  /** Whether its node was ready when the job began. */
  isReady: boolean;
  /** What is left of its machine. */
  machineLeft: Leftover[];
}

export type RepairLiteClusterStepContext = StepContext<RepairLiteClusterContext, RepairLiteClusterState>;

export const defineRepairStep = defineStep<RepairLiteClusterContext, RepairLiteClusterState>();

/** The progress update of a step's beginning. */
export const announce = announcer(clusterRepairProgress);
