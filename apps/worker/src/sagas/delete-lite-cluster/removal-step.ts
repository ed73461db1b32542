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
  /** Where the results of the saga have what the step could not remove. */
  leftoversKey: LeftoversKey;
  /** One group after the other is removed. */
  removals(context: DeleteLiteClusterStepContext): Removal[][];
}

/** A step that removes what earlier steps have found. What it cannot remove it tries again in every sweep. */
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
