import { type Leftover, verificationProgress } from '@gateway/jobs';
import { requireState } from '@gateway/saga';
import { machineRemovals } from '../../library-machines/remove-machine.ts';
import { removeAll, sweepAll } from '../../resources/remove-all.ts';
import { announce, defineVerifyStep, type VerifyStepContext } from '../saga.ts';

/**
 * The verdict is valid from here on, even if the job is cancelled or the verifier cannot be removed: sweeps
 * remove what remains.
 */
export const removeVerifier = defineVerifyStep<{ leftovers: Leftover[] }>({
  name: 'remove-verifier',
  beginUpdate: announce(
    'VERIFIER_DELETING',
    verificationProgress.VERIFIER_DELETING,
    'The verifier is being deleted.',
  ),
  commits: true,
  run: (context) => removeAll(context, removals(context), context.config.timeLimits.undoSeconds * 1000),
  leftovers: ({ leftovers }) => leftovers,
  sweep: (context, { leftovers }) => sweepAll(context, removals(context), leftovers),
});

function removals(context: VerifyStepContext) {
  return machineRemovals(context, {
    volumeIds: [requireState(context, 'upperVolumeId')],
    accesses: requireState(context, 'accesses'),
    portId: context.state.port?.id,
  });
}
