import { conflict } from '@gateway/core';
import {
  nullIfNotFound,
  type PortRecord,
  type RouterRecord,
  type SubnetRecord,
  UpstreamError,
} from '@gateway/openstack';
import { presentNewInterface } from '@gateway/resources';
import type { RequestContext } from '../../pipeline/request-context.ts';
import { inUseConflict, isRefusedAsInUse } from '../../resources/in-use.ts';

/** Without the name of the network. @throws 409 if the service refuses the subnet */
export async function connectSubnet(request: RequestContext, router: RouterRecord, subnet: SubnetRecord) {
  const { network } = request.openstack;
  try {
    const added = await network.routers.addInterface(router.id, { subnet_id: subnet.id });
    return presentNewInterface(await readAddedPort(request, added.port_id), subnet);
  } catch (error) {
    throw explainRefusal(error);
  }
}

/**
 * The service answers 400 for an existing interface, an overlap with another one, and a subnet without a
 * gateway.
 */
function explainRefusal(error: unknown): unknown {
  if (!(error instanceof UpstreamError) || error.upstreamStatus !== 400) return error;
  const reason = error.message.replace(/^Bad router request: /, '');
  return conflict('refused_by_service', `The subnet cannot be connected to the router: ${reason}`, {
    cause: error,
    upstream: error.upstream,
  });
}

async function readAddedPort({ openstack }: RequestContext, portId: string): Promise<PortRecord> {
  const port = await nullIfNotFound(openstack.network.ports.get(portId));
  if (port === null)
    throw conflict('changed_meanwhile', 'Another client has removed the interface meanwhile.');
  return port;
}

/** @throws 409 with the names of the floating IPs and routes that need the interface */
export async function disconnectSubnet(
  request: RequestContext,
  router: RouterRecord,
  subnetId: string,
): Promise<void> {
  try {
    await request.openstack.network.routers.removeInterface(router.id, { subnet_id: subnetId });
  } catch (error) {
    if (!isRefusedAsInUse(error)) throw error;
    const needed = [...(await nameFloatingIps(request, router.id)), ...router.routes.map(nameRoute)];
    throw inUseConflict('The interface cannot be removed', needed, error);
  }
}

function nameRoute({ destination, nexthop }: RouterRecord['routes'][number]): string {
  return `route to ${destination} by ${nexthop}`;
}

/** The floating IPs that need a router. */
export async function nameFloatingIps({ openstack }: RequestContext, routerId: string): Promise<string[]> {
  const floatingIps = await openstack.network.floatingIps.list({ router_id: routerId });
  return floatingIps.map(({ floating_ip_address: address }) => `floating IP ${address}`);
}
