import type { Leftover } from '@gateway/jobs';
import type { ProgressUpdate, Step } from '@gateway/saga';
import type { Removal } from '../resources/remove-all.ts';
import { removeGroups, sweepGroups } from '../resources/remove-groups.ts';
import { parking } from '../resources/wait-options.ts';
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
  removals,
}: RemovalStepParts): Step<DeleteLiteClusterContext, DeleteLiteClusterState> {
  const leftIn = (result: Partial<DeleteLiteClusterState>): Leftover[] => result[leftoversKey] ?? [];
  return {
    name,
    when: hasRecord,
    ...(beginUpdate !== undefined && { beginUpdate }),
    async run(context) {
      const { undoSeconds } = context.config.timeLimits;
      const step = parking(context);
      return { [leftoversKey]: await removeGroups(step, removals(step), undoSeconds * 1000) };
    },
    leftovers: leftIn,
    sweep: async (context, result) => ({
      [leftoversKey]: await sweepGroups(context, removals(context), leftIn(result)),
    }),
  };
}
