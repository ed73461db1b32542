import { shareClientName } from '@gateway/libraries';
import { requireState } from '../../saga/index.ts';
import type { MountedShare, ShareIdentity } from '../resources/share-access-step.ts';
import type { VerifyStepContext } from './saga.ts';

/** The shares that the verifier mounts, the lowest layer first. */
export async function mountedShares(context: VerifyStepContext): Promise<MountedShare[]> {
  const manager = await context.service();
  return requireState(context, 'plan').layers.map(({ shareId: id, libraryId, protocol }) => ({
    id,
    protocol,
    libraryIds: [libraryId],
    manager,
  }));
}

/** The identity that a share grants read access to. */
export function identityFor(context: VerifyStepContext, { protocol }: MountedShare): ShareIdentity {
  return protocol === 'NFS'
    ? { accessTo: requireState(context, 'port').address, accessType: 'ip', accessLevel: 'ro' }
    : {
        accessTo: shareClientName(context.projectId, context.jobId),
        accessType: 'cephx',
        accessLevel: 'ro',
      };
}
