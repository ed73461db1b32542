import type { Leftover } from '@gateway/jobs';
import { machineRemovals } from '../../library-machines/remove-machine.ts';
import { removeAll, sweepAll } from '../../resources/remove-all.ts';
import { announce, type BuildStepContext, defineBuildStep } from '../saga.ts';

/**
 * The library is usable even if the builder cannot be removed: what remains is a leftover, which sweeps
 * remove.
 */
export const removeBuilder = defineBuildStep<{ leftovers: Leftover[] }>({
  name: 'remove-builder',
  beginUpdate: announce('BUILDER_DELETING', 'The builder is being deleted.'),
  run: (context) => removeAll(context, removals(context), context.config.timeLimits.undoSeconds * 1000),
  leftovers: ({ leftovers }) => leftovers,
  sweep: (context, { leftovers }) => sweepAll(context, removals(context), leftovers),
});

function removals(context: BuildStepContext) {
  return machineRemovals(context, { portId: context.state.port?.id });
}
