import { conflict } from '@gateway/core';
import { type FloatingIpRecord, isBeingDeleted, UpstreamError } from '@gateway/openstack';
import { chooseTarget, explainTargetRefusal } from '../../flows/floating-ip-target.ts';
import type { RequestContext } from '../../pipeline/request-context.ts';
import { getOwnServer } from '../../resources/read-instance.ts';
import { waitForAddresses } from '../../resources/wait-for-addresses.ts';

/** Associates a floating IP with an address of an instance that its external network can reach. */
export async function associateWith(
  request: RequestContext,
  floatingIp: FloatingIpRecord,
  instanceId: string,
): Promise<FloatingIpRecord> {
  const { floating_ip_address: address, port_id: portId } = floatingIp;
  // The service would move the floating IP, away from whoever uses it.
  if (portId !== null)
    throw conflict(`The floating IP ${address} is associated with the port ${portId} already.`);
  const server = await getOwnServer(request, instanceId);
  if (isBeingDeleted(server)) {
    throw conflict('The instance can not get a floating IP: its task state is deleting.');
  }
  const target = await chooseTarget(request, server.id, floatingIp.floating_network_id);
  const associated = await update(request, floatingIp, {
    port_id: target.portId,
    fixed_ip_address: target.fixedAddress,
  });
  await waitForAddresses(request, server.id, (addresses) => addresses.some(({ addr }) => addr === address));
  return associated;
}

async function update(
  { openstack }: RequestContext,
  { id }: FloatingIpRecord,
  changes: { port_id: string; fixed_ip_address: string },
): Promise<FloatingIpRecord> {
  try {
    return await openstack.network.floatingIps.update(id, changes);
  } catch (error) {
    throw explainTargetRefusal(error) ?? explainBadTarget(error);
  }
}

/** The service answers 400 for a port that has changed its address meanwhile. */
function explainBadTarget(error: unknown): unknown {
  if (!(error instanceof UpstreamError) || error.upstreamStatus !== 400) return error;
  const detail = `The floating IP can not be associated: ${error.message}`;
  return conflict(detail, { cause: error, upstream: error.upstream });
}

/** Waits until the compute service no longer shows an address that was taken from an instance. */
export async function waitUntilUnused(
  request: RequestContext,
  { floating_ip_address: address, port_details: port }: FloatingIpRecord,
): Promise<void> {
  if (!port?.device_owner.startsWith('compute:')) return;
  await waitForAddresses(request, port.device_id, (shown) => shown.every(({ addr }) => addr !== address));
}
