import { instanceDeletionProgress, type Leftover } from '@gateway/jobs';
import { removeAll, sweepAll } from '../../resources/remove-all.ts';
import { removals } from '../removals.ts';
import { defineDeleteStep } from '../saga.ts';

/**
 * Removes what belonged to the server. One thing that does not go does not keep the others, it is named in the end;
 * save that an address is not given back while a share lets it in.
 */
export const deleteBelongings = defineDeleteStep<{ leftovers: Leftover[] }>({
  name: 'belongings',
  beginUpdate: {
    step: 'RESOURCES_DELETING',
    progress: instanceDeletionProgress.RESOURCES_DELETING,
    message: 'What belonged to the server is being deleted.',
  },
  run: (context) => removeAll(context, removals(context), context.config.timeLimits.undoSeconds * 1000),
  leftovers: ({ leftovers }) => leftovers,
  sweep: (context, { leftovers }) => sweepAll(context, removals(context), leftovers),
});
