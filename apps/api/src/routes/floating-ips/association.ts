import { conflict } from '@gateway/core';
import { type FloatingIpRecord, isBeingDeleted, isStale, UpstreamError } from '@gateway/openstack';
import type { RequestContext } from '../../pipeline/request-context.ts';
import { oneAtATime } from '../../resources/one-at-a-time.ts';
import { getOwnFloatingIp } from '../../resources/own-floating-ip.ts';
import { getOwnServer } from '../../resources/read-instance.ts';
import { waitForAddresses } from '../../resources/wait-for-addresses.ts';
import { chooseTarget, explainTargetRefusal } from '../instance-floating-ips/choose-target.ts';

const MAX_ATTEMPTS = 5;

/**
 * Associates a floating IP with an address of an instance that its external network can reach. The service
 * would move a floating IP that is already associated. The gateway's own requests therefore run one after the
 * other, and the service refuses the write if another client has changed the floating IP since the read.
 */
export async function associateWithInstance(
  request: RequestContext,
  floatingIpId: string,
  instanceId: string,
): Promise<FloatingIpRecord> {
  const associated = await oneAtATime(request, `floating-ip:${floatingIpId}`, async () => {
    const floatingIp = await getFreeFloatingIp(request, floatingIpId);
    const server = await getOwnServer(request, instanceId);
    if (isBeingDeleted(server)) {
      throw conflict('The instance cannot get a floating IP: its task state is deleting.');
    }
    const target = await chooseTarget(request, server.id, floatingIp.floating_network_id);
    return update(request, floatingIp, { port_id: target.portId, fixed_ip_address: target.fixedAddress });
  });
  const address = associated.floating_ip_address;
  await waitForAddresses(request, instanceId, (addresses) => addresses.some(({ addr }) => addr === address));
  return associated;
}

/** @throws 409 for a floating IP that is associated already */
async function getFreeFloatingIp(request: RequestContext, id: string): Promise<FloatingIpRecord> {
  const floatingIp = await getOwnFloatingIp(request, id);
  const { floating_ip_address: address, port_id: portId } = floatingIp;
  if (portId === null) return floatingIp;
  throw conflict(`The floating IP ${address} is associated with the port ${portId} already.`);
}

/**
 * The service itself also changes a floating IP: its status changes after the end of an earlier association.
 */
async function update(
  request: RequestContext,
  floatingIp: FloatingIpRecord,
  changes: { port_id: string; fixed_ip_address: string },
): Promise<FloatingIpRecord> {
  const { id } = floatingIp;
  let current = floatingIp;
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await request.openstack.network.floatingIps.update(id, changes, current.revision_number);
    } catch (error) {
      if (!isStale(error)) throw explainTargetRefusal(error) ?? explainBadTarget(error);
      if (attempt === MAX_ATTEMPTS) throw error;
    }
    current = await getFreeFloatingIp(request, id);
  }
}

/** The service answers 400 for a port that has changed its address meanwhile. */
function explainBadTarget(error: unknown): unknown {
  if (!(error instanceof UpstreamError) || error.upstreamStatus !== 400) return error;
  const detail = `The floating IP cannot be associated: ${error.message}`;
  return conflict(detail, { cause: error, upstream: error.upstream });
}

/** Waits until the compute service no longer shows an address that was taken from an instance. */
export async function waitUntilDisassociated(
  request: RequestContext,
  { floating_ip_address: address, port_details: port }: FloatingIpRecord,
): Promise<void> {
  if (!port?.device_owner.startsWith('compute:')) return;
  await waitForAddresses(request, port.device_id, (shown) => shown.every(({ addr }) => addr !== address));
}
