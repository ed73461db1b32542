import { GatewayError } from '@gateway/core';
import { instanceProgress } from '@gateway/jobs';
import { need } from '../../need.ts';
import { jobMark } from '../../resources/names.ts';
import { removeFloatingIp } from '../../resources/removal.ts';
import { defineCreateStep } from '../saga.ts';

/** The address from outside, where the instance stands in a tenant network that is routed there. */
export const createFloatingIp = defineCreateStep<{ floatingIpId: string }>({
  name: 'floating-ip',
  beginUpdate: {
    step: 'FLOATING_IP_CREATING',
    progress: instanceProgress.FLOATING_IP_CREATING,
    message: 'A floating IP is being associated.',
  },
  when: (context) => need(context, 'plan').externalNetworkId !== null,
  // An address of a port has one floating IP, and is refused a second one.
  rejectsDuplicates: true,
  async run(context) {
    const { network } = context.owner();
    const [port] = await network.ports.list({
      device_id: need(context, 'serverId'),
      network_id: need(context, 'plan').networkId,
    });
    const fixed = port?.fixed_ips.find(({ ip_address }) => ip_address.includes('.'));
    if (port === undefined || fixed === undefined) {
      throw new GatewayError(409, 'conflict', 'The instance has no address that a floating IP can go with.');
    }
    const address = await network.floatingIps.create({
      floating_network_id: need(context, 'plan').externalNetworkId ?? '',
      port_id: port.id,
      fixed_ip_address: fixed.ip_address,
      description: jobMark(context.jobId),
    });
    return { floatingIpId: address.id };
  },
  async find(context) {
    const description = jobMark(context.jobId);
    const addresses = await context.remover().network.floatingIps.list({ description });
    return addresses
      .filter(({ project_id }) => project_id === context.projectId)
      .map(({ id }) => ({ floatingIpId: id }));
  },
  undo: (context, { floatingIpId }) => removeFloatingIp(context.remover(), floatingIpId),
  leftover: ({ floatingIpId }) => ({ type: 'floating_ip', id: floatingIpId }),
});
