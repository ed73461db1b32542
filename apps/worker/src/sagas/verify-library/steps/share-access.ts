import { type MountedShare, shareAccessStep } from '../../resources/share-access-step.ts';
import { identityFor, mountedShares } from '../layers.ts';
import { announce, type VerifyLibraryContext, type VerifyLibraryState } from '../saga.ts';

/** Grants the verifier, and only the verifier, read access to the shares of the library. */
export const grantShareAccess = shareAccessStep<VerifyLibraryContext, VerifyLibraryState, MountedShare>({
  name: 'share-access',
  beginUpdate: announce('VERIFIER_PREPARING', 'Access to the file storage is being granted to the verifier.'),
  key: 'accesses',
  shares: mountedShares,
  sharesForRemoval: mountedShares,
  identityFor,
});
