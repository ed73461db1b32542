import type { Leftover } from '@gateway/jobs';
import { mustWait, type ProgressUpdate, type Step } from '../../saga/index.ts';
import type { Removal } from '../resources/remove-all.ts';
import { removeGroups, sweepGroups } from '../resources/remove-groups.ts';
import { parking } from '../resources/wait-options.ts';
import { describeRest, Unfinished } from './describe-rest.ts';
import {
  type DeleteLiteClusterContext,
  type DeleteLiteClusterState,
  type DeleteLiteClusterStepContext,
  hasRecord,
} from './saga.ts';

type LeftoversKey = 'loadBalancersLeft' | 'machinesLeft' | 'resourcesLeft' | 'lateLeft';

interface RemovalStepParts {
  name: string;
  beginUpdate?: ProgressUpdate;
  /** The key of the state for the leftovers of the step. */
  leftoversKey: LeftoversKey;
  /** For how long failed removals are tried again before the next steps, in seconds. */
  retrySeconds?: number;
  /** The groups are removed one after the other. */
  removals(context: DeleteLiteClusterStepContext): Removal[][];
}

/**
 * A step that removes the resources that earlier steps have found. Every sweep retries those that could not
 * be removed.
 */
export function removalStep({
  name,
  beginUpdate,
  leftoversKey,
  retrySeconds = Number.POSITIVE_INFINITY,
  removals,
}: RemovalStepParts): Step<DeleteLiteClusterContext, DeleteLiteClusterState> {
  const leftIn = (result: Partial<DeleteLiteClusterState>): Leftover[] => result[leftoversKey] ?? [];
  return {
    name,
    when: hasRecord,
    ...(beginUpdate !== undefined && { beginUpdate }),
    async run(context) {
      const seconds = Math.min(context.config.timeLimits.undoSeconds, retrySeconds);
      const unfinished = new Unfinished(context);
      const step = { ...parking(context), onUnfinished: unfinished.add.bind(unfinished) };
      try {
        const left = await removeGroups(step, removals(step), seconds * 1000);
        await describeRest(context, left);
        return { [leftoversKey]: left };
      } catch (error) {
        if (mustWait(error)) await unfinished.describe();
        throw error;
      }
    },
    leftovers: leftIn,
    sweep: async (context, result) => ({
      [leftoversKey]: await sweepGroups(context, removals(context), leftIn(result)),
    }),
  };
}
