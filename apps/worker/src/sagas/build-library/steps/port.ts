import { invalidInput } from '@gateway/core';
import { requireState } from '../../../saga/index.ts';
import { findAccessRules } from '../../resources/access-rules.ts';
import { portStep } from '../../resources/port-step.ts';
import { announce, type BuildLibraryContext, type BuildLibraryState, nameFor } from '../saga.ts';

export const createPort = portStep<BuildLibraryContext, BuildLibraryState>({
  name: 'port',
  beginUpdate: announce('BUILDER_PREPARING', 'The builder is being prepared.'),
  when: (context) => requireState(context, 'plan').protocol === 'NFS',
  key: 'port',
  portName: (context) => nameFor(context, 'port'),
  networkId: (context) => requireState(context, 'plan').networkId,
  withoutAddress: () =>
    invalidInput('The network for builds gives no addresses, and shares grant access by address.'),
  grantedAddresses: async (context) => {
    const rules = await findAccessRules(await context.service(), requireState(context, 'shareId'), context);
    return rules.map(({ access_to }) => access_to);
  },
});
