import type { Leftover } from '@gateway/jobs';
import { requireState } from '../../../saga/index.ts';
import { removeCredential } from '../../lite-clusters/credentials.ts';
import { type Removal, removeAll, sweepAll } from '../../resources/remove-all.ts';
import { announce, defineReplacementStep, type ReplaceLiteCredentialStepContext } from '../saga.ts';

/**
 * Deletes the old credential: as its user, or as the gateway's own user. Where neither may, it is a leftover
 * of the completed job.
 */
export const removeReplaced = defineReplacementStep<{ left: Leftover[] }>({
  name: 'remove-replaced',
  beginUpdate: announce('credential_removing', 'The old credential is being deleted.'),
  onRepeat: 'idempotent',
  async run(context) {
    const { undoSeconds } = context.config.timeLimits;
    return { left: (await removeAll(context, removals(context), undoSeconds * 1000)).leftovers };
  },
  leftovers: ({ left }) => left,
  sweep: async (context, { left }) => ({
    left: (await sweepAll(context, removals(context), left)).leftovers,
  }),
});

function removals(context: ReplaceLiteCredentialStepContext): Removal[] {
  const replaced = requireState(context, 'replaced');
  const { id } = replaced;
  return [{ type: 'application_credential', id, remove: () => removeCredential(context, replaced) }];
}
