import { requireState } from '../../../saga/index.ts';
import { floatingIpStep } from '../../resources/floating-ip-step.ts';
import { announce, type CreateInstanceContext, type CreateInstanceState } from '../saga.ts';

/** Skipped unless a router connects the instance's network to an external one. */
export const createFloatingIp = floatingIpStep<CreateInstanceContext, CreateInstanceState>({
  name: 'floating-ip',
  beginUpdate: announce('FLOATING_IP_CREATING', 'A floating IP is being associated.'),
  when: (context) => requireState(context, 'plan').externalNetworkId !== null,
  key: 'floatingIpId',
  async findPort(context, { network }) {
    const [port] = await network.ports.list({
      device_id: requireState(context, 'serverId'),
      network_id: requireState(context, 'plan').networkId,
    });
    return port;
  },
  ownPortIds: ({ state: { plan, port } }) =>
    [port?.id, ...(plan?.nics ?? []).map(({ portId }) => portId)].filter((id) => typeof id === 'string'),
  serverId: (context) => requireState(context, 'serverId'),
  externalNetworkId: (context) => requireState(context, 'plan').externalNetworkId ?? '',
  routedSubnetIds: (context) => requireState(context, 'plan').routedSubnetIds,
});
