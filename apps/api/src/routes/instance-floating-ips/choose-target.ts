import { conflict, GatewayError } from '@gateway/core';
import {
  type FloatingIpTarget,
  ipv4Addresses,
  type PortRecord,
  readGateways,
  routedAddresses,
} from '@gateway/openstack';
import { listFloatingIps } from '../../flows/instance-floating-ips.ts';
import { listInstancePorts } from '../../flows/instance-ports.ts';
import type { RequestContext } from '../../pipeline/request-context.ts';

/**
 * The address of an instance that gets a floating IP: the first that has a way to an external network and whose port has no
 * floating IP.
 *
 * @throws 400 if there is no external network; 409 if the instance has no address, or each of its ports has a floating IP
 */
export async function chooseTarget(request: RequestContext, serverId: string): Promise<FloatingIpTarget> {
  const { app, openstack } = request;
  const ports = await listInstancePorts(request, serverId);
  const networkIds = [...new Set(ports.map(({ network_id }) => network_id))];
  const [floatingIps, gateways] = await Promise.all([
    listFloatingIps(
      request,
      ports.map(({ id }) => id),
    ),
    readGateways(openstack.network, networkIds),
  ]);
  const routed = routedAddresses(ports, gateways, app.config.instances.externalNetworkId);
  const candidates = routed.length > 0 ? routed : await unroutedAddresses(request, ports);
  const taken = new Set(floatingIps.map(({ port_id }) => port_id));
  const target = candidates.find(({ portId }) => !taken.has(portId));
  if (target === undefined) throw noFreePort(candidates);
  return target;
}

/**
 * Without a router that the caller may see, another project's router may still serve a shared network. The service decides;
 * the external network is then the configured network or, without one, the first network by name.
 */
async function unroutedAddresses(
  { app, openstack }: RequestContext,
  ports: readonly PortRecord[],
): Promise<FloatingIpTarget[]> {
  const external = await openstack.network.networks.list({ 'router:external': true });
  const byName = external.toSorted((a, b) => a.name.localeCompare(b.name) || a.id.localeCompare(b.id));
  const configured = byName.find(({ id }) => id === app.config.instances.externalNetworkId);
  const externalNetworkId = (configured ?? byName[0])?.id;
  if (externalNetworkId === undefined) throw noExternalNetwork('There is no external network.');
  // An address of an external network needs no floating IP.
  const inside = ports.filter(({ network_id }) => external.every(({ id }) => id !== network_id));
  return inside.flatMap((port) =>
    ipv4Addresses(port).map(({ ip_address }) => ({
      portId: port.id,
      fixedAddress: ip_address,
      externalNetworkId,
    })),
  );
}

export function noExternalNetwork(detail: string, cause?: unknown): GatewayError {
  return new GatewayError(400, 'no_external_network', detail, { cause });
}

function noFreePort(candidates: readonly FloatingIpTarget[]): GatewayError {
  return conflict(
    candidates.length === 0
      ? 'The instance has no address that a floating IP can go with.'
      : 'Every port of the instance that can take a floating IP has one already.',
  );
}
