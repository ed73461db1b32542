import type { ClusterScaling } from '@gateway/jobs';
import type { ClusterAgent } from '@gateway/lite';
import { defineStep, type StepContext } from '@gateway/saga';
import type { AgentState } from '../clusters/agent-steps.ts';
import type { ClusterContext } from '../clusters/context.ts';

export interface ScaleClusterContext extends ClusterContext {
  input: ClusterScaling;
  /** Aborted when the process stops, but not when the job is cancelled. */
  stopping: AbortSignal;
}

/** The results of the steps. `numbers` of the plan are those of new workers. */
export interface ScaleClusterState extends AgentState {
  /** The workers to remove, in order. */
  removals: ClusterAgent[];
  areReserved: boolean;
  isRecorded: boolean;
  /** What is left of a removed worker, by the number of those that are removed after it. */
  [removed: RemovalKey]: RemovedAgent;
}

export type RemovalKey = `removed${number}`;

export interface RemovedAgent {
  leftovers: { type: string; id: string; reason: string }[];
}

export type ScaleClusterStepContext = StepContext<ScaleClusterContext, ScaleClusterState>;

export const defineScaleStep = defineStep<ScaleClusterContext, ScaleClusterState>();
