import { clusterScalingProgress } from '@gateway/jobs';
import { agentNodeName } from '@gateway/lite';
import { type ProgressUpdate, requireState } from '../../saga/index.ts';
import type { ScaleLiteClusterStepContext } from './saga.ts';

const LAST_PROGRESS = 90;

/** The agent that is removed with this number of agents after it. */
export function agentAt(context: ScaleLiteClusterStepContext, left: number) {
  const agent = requireState(context, 'removals').at(-1 - left);
  if (agent === undefined) throw new Error('There is no such agent to remove.');
  return agent;
}

/** The name of its node. */
export function nodeAt(context: ScaleLiteClusterStepContext, left: number): string {
  return agentNodeName(requireState(context, 'agentPlan').cluster, agentAt(context, left).number);
}

export function removalUpdate(
  context: ScaleLiteClusterStepContext,
  left: number,
  message: string,
): ProgressUpdate {
  const { length } = requireState(context, 'removals');
  const { nodes_removing: from } = clusterScalingProgress;
  const done = (length - 1 - left) / length;
  return { step: 'nodes_removing', progress: Math.round(from + done * (LAST_PROGRESS - from)), message };
}
