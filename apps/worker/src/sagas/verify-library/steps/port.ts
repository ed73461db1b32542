import { invalidInput } from '@gateway/core';
import { requireState } from '../../../saga/index.ts';
import { portStep } from '../../resources/port-step.ts';
import { findAccesses } from '../../resources/share-access-step.ts';
import { mountedShares } from '../layers.ts';
import { nameFor, needsPort, type VerifyLibraryContext, type VerifyLibraryState } from '../saga.ts';

export const createPort = portStep<VerifyLibraryContext, VerifyLibraryState>({
  name: 'port',
  when: (context) => needsPort(requireState(context, 'plan')),
  key: 'port',
  portName: (context) => nameFor(context, 'port'),
  networkId: (context) => requireState(context, 'plan').networkId,
  withoutAddress: () =>
    invalidInput('The network for builds gives no addresses, and shares grant access by address.'),
  grantedAddresses: async (context) =>
    (await findAccesses(await mountedShares(context), context)).map(({ accessTo }) => accessTo),
});
