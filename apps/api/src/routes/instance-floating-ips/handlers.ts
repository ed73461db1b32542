import { conflict, notFound } from '@gateway/core';
import { isBeingDeleted } from '@gateway/openstack';
import { instanceActions } from '@gateway/views';
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

/** @throws the first error if there are floating IPs and none could be released */
export async function removeFloatingIps(request: InstanceRequest): Promise<void> {
  const server = await getOwnServer(request, request.params.instance_id);
  requireAction(request, instanceActions.remove_floating_ips, server);
  const ports = await listInstancePorts(request, server.id);
  const [associated, stranded] = await Promise.all([
    listFloatingIps(
      request,
      ports.map(({ id }) => id),
    ),
    listStrandedFloatingIps(request, server),
  ]);
  const { addresses, failures } = await releaseFloatingIps(request, [...associated, ...stranded]);
  if (addresses.length === 0 && failures.length > 0) throw failures[0];
  if (associated.length === 0) return;
  await waitForAddresses(request, server.id, (shown) => shown.every(({ addr }) => !addresses.includes(addr)));
}

function beingDeleted() {
  return conflict('The instance cannot get a floating IP: its task state is deleting.');
}
