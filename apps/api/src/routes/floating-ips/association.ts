import { conflict } from '@gateway/core';
import { type FloatingIpRecord, isBeingDeleted } from '@gateway/openstack';
import type { RequestContext } from '../../pipeline/request-context.ts';
import { associateFree } from '../../resources/associate-free.ts';
import { getOwnServer } from '../../resources/read-instance.ts';
import { waitForAddresses } from '../../resources/wait-for-addresses.ts';
import { chooseTarget } from '../instance-floating-ips/choose-target.ts';

/** Associates a floating IP with an address of an instance that its external network can reach. */
export async function associateWithInstance(
  request: RequestContext,
  floatingIpId: string,
  instanceId: string,
): Promise<FloatingIpRecord> {
  const choose = async ({ floating_network_id }: FloatingIpRecord) => {
    const server = await getOwnServer(request, instanceId);
    if (isBeingDeleted(server)) {
      throw conflict('wrong_state', 'The instance cannot get a floating IP while it is being deleted.');
    }
    const target = await chooseTarget(request, server.id, floating_network_id);
    return { port_id: target.portId, fixed_ip_address: target.fixedAddress };
  };
  const associated = await associateFree(request, floatingIpId, choose, 'instance');
  const address = associated.floating_ip_address;
  await waitForAddresses(request, instanceId, (addresses) => addresses.some(({ addr }) => addr === address));
  return associated;
}

/** Waits until the compute service no longer shows an address that was taken from an instance. */
export async function waitUntilDisassociated(
  request: RequestContext,
  { floating_ip_address: address, port_details: port }: FloatingIpRecord,
): Promise<void> {
  if (!port?.device_owner.startsWith('compute:') || port.device_id === '') return;
  await waitForAddresses(request, port.device_id, (shown) => shown.every(({ addr }) => addr !== address));
}
