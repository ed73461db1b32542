import { type ClusterScaling, clusterScalingProgress } from '@gateway/jobs';
import type { LiteClusterAgent } from '@gateway/lite';
import { announcer, defineStep, type StepContext } from '../../saga/index.ts';
import type { AgentState } from '../lite-clusters/agent-steps.ts';
import type { LiteClusterContext } from '../lite-clusters/context.ts';

export interface ScaleLiteClusterContext extends LiteClusterContext {
  input: ClusterScaling;
}

/** The results of the steps. The plan's `numbers` are those of new agents. */
export interface ScaleLiteClusterState extends AgentState {
  /** The agents to remove, in order. */
  removals: LiteClusterAgent[];
  /** The leftovers of a removed agent, by the number of agents that are removed after it. */
  [removed: RemovalKey]: RemovedAgent;
  /** The drained node of such an agent, by the same number. */
  [drained: DrainKey]: DrainedNode;
}

export type DrainKey = `drained${number}`;

export interface DrainedNode {
  node: string;
  /** False if the API server could not be reached. */
  mayBeCordoned: boolean;
}

export type RemovalKey = `removed${number}`;

export interface RemovedAgent {
  leftovers: { type: string; id: string; reason: string }[];
}

export type ScaleLiteClusterStepContext = StepContext<ScaleLiteClusterContext, ScaleLiteClusterState>;

export const defineScaleStep = defineStep<ScaleLiteClusterContext, ScaleLiteClusterState>();

/** The progress update of a step's beginning. */
export const announce = announcer(clusterScalingProgress);
