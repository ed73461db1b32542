import { conflict, GatewayError, notFound } from '@gateway/core';
import { type FloatingIpRecord, isBeingDeleted, type ServerRecord } from '@gateway/openstack';
import { addressesOf, instanceActions } from '@gateway/resources';
import type { RequestContext } from '../../pipeline/request-context.ts';
import {
  listFloatingIps,
  listStrandedFloatingIps,
  releaseFloatingIps,
} from '../../resources/instance-floating-ips.ts';
import { listInstancePorts } from '../../resources/instance-ports.ts';
import { getOwnServer } from '../../resources/read-instance.ts';
import { requireAction } from '../../resources/require-action.ts';
import { waitForAddresses } from '../../resources/wait-for-addresses.ts';
import { allocateFloatingIp } from './allocate.ts';
import { chooseTarget } from './choose-target.ts';

type InstanceRequest = RequestContext<{ instance_id: string }>;

export async function addFloatingIp(request: InstanceRequest) {
  const server = await getOwnServer(request, request.params.instance_id);
  requireAction(request, instanceActions.add_floating_ip, server);
  const target = await chooseTarget(request, server.id);
  const floatingIp = await allocateFloatingIp(request, server.id, target);
  const { id, floating_ip_address: address } = floatingIp;

  const current = await waitForAddresses(request, server.id, (addresses) =>
    addresses.some(({ addr }) => addr === address),
  );
  if (current !== undefined && (current === null || isBeingDeleted(current))) {
    // The deletion may have listed the floating IPs before this one existed.
    await releaseFloatingIps(request, [floatingIp]);
    throw current === null ? notFound('There is no such instance in this project.') : beingDeleted();
  }
  return { id, floating_ip_address: address };
}

/**
 * Releases what can be released. While the network service is unavailable, that may be nothing.
 *
 * @throws the refusal if the caller may not release any of them
 */
export async function removeFloatingIps(request: InstanceRequest): Promise<void> {
  const server = await getOwnServer(request, request.params.instance_id);
  requireAction(request, instanceActions.remove_floating_ips, server);
  const found = await findFloatingIps(request, server);
  const { addresses, failures } = await releaseFloatingIps(request, found);
  if (addresses.length === 0) {
    if (failures.some(isRefused)) throw failures.find(isRefused);
    return;
  }
  await waitForAddresses(request, server.id, (shown) => shown.every(({ addr }) => !addresses.includes(addr)));
}

/** None if the network service cannot list them; the audit log then has those that the server shows. */
async function findFloatingIps(request: InstanceRequest, server: ServerRecord): Promise<FloatingIpRecord[]> {
  try {
    const ports = await listInstancePorts(request, server.id);
    const [associated, stranded] = await Promise.all([
      listFloatingIps(
        request,
        ports.map(({ id }) => id),
      ),
      listStrandedFloatingIps(request, server),
    ]);
    return [...associated, ...stranded];
  } catch (error) {
    if (!(error instanceof GatewayError) || isRefused(error)) throw error;
    request.logger.warn('The floating IPs of an instance could not be listed', { error });
    for (const { addr, type } of addressesOf(server)) {
      if (type === 'floating') request.leavesBehind(`floating_ip ${addr}`);
    }
    return [];
  }
}

function isRefused(error: unknown): boolean {
  return error instanceof GatewayError && [401, 403].includes(error.status);
}

function beingDeleted() {
  return conflict('wrong_state', 'The instance cannot get a floating IP while it is being deleted.');
}
