import { requireState } from '../../../saga/index.ts';
import { floatingIpStep } from '../../resources/floating-ip-step.ts';
import type { CreateLiteClusterContext, CreateLiteClusterState } from '../saga.ts';

/** Created before the control node, whose certificate names the address. */
export const createFloatingIp = floatingIpStep<CreateLiteClusterContext, CreateLiteClusterState>({
  name: 'floating-ip',
  when: (context) => requireState(context, 'plan').floatingIp !== null,
  key: 'floatingIpId',
  findPort: (context, { network }) => network.ports.get(requireState(context, 'port').id),
  ownPortIds: ({ state: { port } }) => (port === undefined ? [] : [port.id]),
  externalNetworkId: (context) => requireState(context, 'plan').floatingIp?.externalNetworkId ?? '',
  routedSubnetIds: (context) => requireState(context, 'plan').floatingIp?.routedSubnetIds ?? [],
});
