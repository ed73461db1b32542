import { shareAccessStep } from '../../resources/share-access-step.ts';
import { announce, type CreateInstanceContext, type CreateInstanceState, isLayered } from '../saga.ts';
import { accessOf, type LayeredShare, layeredShares } from '../shares.ts';

/** Grants the instance, and only the instance, access to its shares. */
export const grantShareAccess = shareAccessStep<CreateInstanceContext, CreateInstanceState, LayeredShare>({
  name: 'share-access',
  beginUpdate: announce('FILESHARE_PREPARING', 'Access to the share of the libraries is being granted.'),
  when: isLayered,
  key: 'accesses',
  shares: (context) => layeredShares(context),
  sharesForRemoval: (context) => layeredShares(context, context.remover()),
  identityFor: accessOf,
});
