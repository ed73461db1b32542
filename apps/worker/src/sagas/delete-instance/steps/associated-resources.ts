import type { Leftover } from '@gateway/jobs';
import { removeAll, sweepAll } from '../../resources/remove-all.ts';
import { parking } from '../../resources/wait-options.ts';
import { removals } from '../removals.ts';
import { associatedResourcesOf, type DeleteStepContext, defineDeleteStep } from '../saga.ts';

/**
 * Removes the associated resources. One that cannot be removed does not block the others; it becomes a
 * leftover. Only a port waits for the access rules of its address.
 */
export const deleteAssociatedResources = defineDeleteStep<{ leftovers: Leftover[] }>({
  name: 'resources',
  async run(context) {
    const step = parking(context);
    const result = await removeAll(
      step,
      removals(step, duplicateIdsOf(context)),
      context.config.timeLimits.undoSeconds * 1000,
    );
    const { creationJobId } = associatedResourcesOf(context);
    if (creationJobId !== undefined) await context.removeFirstBoot(creationJobId);
    return result;
  },
  leftovers: ({ leftovers }) => leftovers,
  sweep: (context, { leftovers }) => sweepAll(context, removals(context, duplicateIdsOf(context)), leftovers),
});

function duplicateIdsOf({ state }: DeleteStepContext): string[] {
  return state.duplicateIds ?? [];
}
