import { invalidInput } from '@gateway/core';
import { requireState } from '../../../saga/index.ts';
import { portStep } from '../../resources/port-step.ts';
import { type CreateInstanceContext, type CreateInstanceState, groupsOfPort, nameFor } from '../saga.ts';
import { findOwnAccesses } from '../shares.ts';

export const createPort = portStep<CreateInstanceContext, CreateInstanceState>({
  name: 'port',
  when: (context) => requireState(context, 'plan').needsPort,
  key: 'port',
  portName: (context) => nameFor(context, 'port'),
  securityGroupIds: ({ input }) => groupsOfPort(input),
  networkId: (context) => requireState(context, 'plan').networkId,
  withoutAddress: () =>
    invalidInput('The network gives no addresses, and the shares of the libraries grant access by address.', {
      errors: [{ field: 'body.network_id', message: 'must have a subnet' }],
    }),
  grantedAddresses: async (context) => (await findOwnAccesses(context)).map(({ accessTo }) => accessTo),
});
