import { conflict, type GatewayError } from '@gateway/core';
import {
  chooseExternalNetwork,
  type FloatingIpTarget,
  ipv4Addresses,
  type PortRecord,
  readGateways,
  routedAddresses,
} from '@gateway/openstack';
import type { RequestContext } from '../../pipeline/request-context.ts';
import { ALL_TAKEN, noExternalNetwork } from '../../resources/explain-target-refusal.ts';
import { listFloatingIps } from '../../resources/instance-floating-ips.ts';
import { listInstancePorts } from '../../resources/instance-ports.ts';

/**
 * The address of an instance that gets a floating IP: the first that can reach an external network and whose
 * port has no floating IP.
 *
 * @param ofNetworkId the external network of an existing floating IP
 * @throws 400 if there is no external network; 409 if the instance has no address, or each of its ports has a
 * floating IP
 */
export async function chooseTarget(
  request: RequestContext,
  serverId: string,
  ofNetworkId?: string,
): Promise<FloatingIpTarget> {
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
  const routed = routedAddresses(
    ports,
    gateways,
    ofNetworkId ?? app.config.instances.externalNetworkId,
  ).filter(({ externalNetworkId }) => ofNetworkId === undefined || externalNetworkId === ofNetworkId);
  const candidates = routed.length > 0 ? routed : await unroutedAddresses(request, ports, ofNetworkId);
  const taken = new Set(floatingIps.map(({ port_id }) => port_id));
  const target = candidates.find(({ portId }) => !taken.has(portId));
  if (target === undefined) throw noFreePort(candidates);
  return target;
}

/**
 * Without a router that the caller may see, another project's router may still serve a shared network. The
 * service decides whether the external network can be reached.
 */
async function unroutedAddresses(
  { app, openstack }: RequestContext,
  ports: readonly PortRecord[],
  ofNetworkId: string | undefined,
): Promise<FloatingIpTarget[]> {
  const external = await openstack.network.networks.list({ 'router:external': true });
  const externalNetworkId =
    ofNetworkId ?? chooseExternalNetwork(external, app.config.instances.externalNetworkId);
  if (externalNetworkId === null) throw noExternalNetwork('There is no external network.');
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

function noFreePort(candidates: readonly FloatingIpTarget[]): GatewayError {
  return conflict(
    'already_done',
    candidates.length === 0
      ? 'The instance has no address that a floating IP can go with.'
      : ALL_TAKEN.instance,
  );
}
