import type { Leftover } from '@gateway/jobs';
import { requireState } from '../../../saga/index.ts';
import { machineRemovals } from '../../library-machines/remove-machine.ts';
import { removeAll, sweepAll } from '../../resources/remove-all.ts';
import { announce, defineVerifyStep, type VerifyStepContext } from '../saga.ts';
import { createBootVolume } from './boot-volume.ts';
import { createPort } from './port.ts';
import { createServer } from './server.ts';
import { grantShareAccess } from './share-access.ts';
import { createUpperVolume } from './upper-volume.ts';

const created = [createPort, grantShareAccess, createBootVolume, createUpperVolume, createServer];

/**
 * The verdict is valid from here on, even if the job is cancelled or the verifier cannot be removed: sweeps
 * remove what remains.
 */
export const removeVerifier = defineVerifyStep<{ leftovers: Leftover[] }>({
  name: 'remove-verifier',
  beginUpdate: announce('VERIFIER_DELETING', 'The verifier is being deleted.'),
  commits: true,
  onRepeat: 'idempotent',
  run: (context) => removeAll(context, removals(context), context.config.timeLimits.undoSeconds * 1000),
  /** Nobody else has the verifier: once nothing of it exists, a job has removed it. */
  async find(context) {
    const { accesses, port } = context.state;
    // A journal that knows nothing of a verifier does not show that one is gone.
    if (accesses === undefined && port === undefined) return [];
    for (const { when, find } of created) {
      if (when?.(context) !== false && ((await find?.(context)) ?? []).length > 0) return [];
    }
    return [{ leftovers: [] }];
  },
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
