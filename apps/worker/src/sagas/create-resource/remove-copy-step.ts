import { removeVolume } from '@gateway/inventory';
import { type Removal, removeAll, sweepAll } from '../resources/remove-all.ts';
import { removalOptions } from '../resources/wait-options.ts';
import type { ImageStep, ImageStepContext } from './image-saga.ts';
import { announce } from './saga.ts';

/** The image is complete even if the copy cannot be deleted: it is a leftover then, which sweeps remove. */
export const removeCopyStep: ImageStep = {
  name: 'remove-copy',
  beginUpdate: announce('CLEANING_UP', 'The copy of the boot volume is being deleted.'),
  when: ({ state }) => state.request?.copy !== null,
  run: (context) => removeAll(context, removals(context), context.config.timeLimits.undoSeconds * 1000),
  leftovers: ({ leftovers = [] }) => leftovers,
  sweep: (context, { leftovers = [] }) => sweepAll(context, removals(context), leftovers),
};

function removals(context: ImageStepContext): Removal[] {
  const { config, resourceOwner, state } = context;
  const { copyId } = state;
  if (copyId === undefined) return [];
  const remove = async () =>
    removeVolume(
      await resourceOwner.removal(),
      copyId,
      removalOptions(context, 'volume', config.timeLimits.volumeSeconds),
    );
  return [{ type: 'volume', id: copyId, remove }];
}
