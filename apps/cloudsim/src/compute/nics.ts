import { isObject, type Json, stringAt } from '../common/json.ts';
import { badRequest, conflict, forbidden } from '../common/service-error.ts';
import type { Caller } from '../http/operation.ts';
import { owns } from '../http/policy.ts';
import { visibleNetwork } from '../network/networks.ts';
import { bindPort, createPort, removePort } from '../network/ports.ts';
import { limitsOf, usageOf } from '../network/quotas.ts';
import { SYSTEM } from '../network/routers.ts';
import type { Network, Port } from '../network/state.ts';
import type { ComputeCloud } from './cloud.ts';
import type { RequestedNic, Server } from './state.ts';

/** Resolves the `networks` field: no network, an automatically chosen network, or the listed networks. */
export function requestedNics(
  cloud: ComputeCloud,
  caller: Caller,
  requested: Json | undefined,
): RequestedNic[] {
  if (requested === 'none') return [];
  if (!Array.isArray(requested)) return automatic(cloud, caller, requested === 'auto');
  return requested.filter(isObject).map((entry) => {
    const portId = stringAt(entry, 'port');
    if (portId !== undefined) return nicOfPort(cloud, caller, portId);
    const id = stringAt(entry, 'uuid') ?? '';
    return {
      networkId: usable(cloud, caller, id).id,
      portId: null,
      address: stringAt(entry, 'fixed_ip') ?? null,
    };
  });
}

function automatic(cloud: ComputeCloud, caller: Caller, required: boolean): RequestedNic[] {
  const own: Network[] = [];
  for (const network of cloud.network.networks.values())
    if ((network.project_id === caller.projectId && !network.external) || network.shared) own.push(network);
  const [network] = own;
  if (own.length > 1)
    throw conflict('Multiple possible networks found, use a Network ID to be more specific.');
  if (network !== undefined) return [{ networkId: network.id, portId: null, address: null }];
  if (required)
    throw badRequest(`Unable to automatically allocate a network for project ${caller.projectId}`);
  return [];
}

function usable(cloud: ComputeCloud, caller: Caller, id: string): Network {
  const network = networkNamed(cloud, caller, id);
  if (network.external && !network.shared && !caller.isAdmin)
    throw forbidden(`It is not allowed to create an interface on external network ${id}`);
  if (network.subnets.length === 0)
    throw badRequest(`Network ${id} requires a subnet in order to boot instances on.`);
  return network;
}

function networkNamed(cloud: ComputeCloud, caller: Caller, id: string): Network {
  try {
    return visibleNetwork(cloud, caller, id);
  } catch {
    throw badRequest(`Network ${id} could not be found.`);
  }
}

function nicOfPort(cloud: ComputeCloud, caller: Caller, portId: string): RequestedNic {
  const port = cloud.network.ports.get(portId);
  if (port === undefined || !owns(caller, port.project_id))
    throw badRequest(`Port ${portId} could not be found.`);
  if (port.device_id !== '') throw conflict(`Port ${portId} is still in use.`);
  return { networkId: port.network_id, portId, address: null };
}

/** Checks the port quota for the ports that the servers will get, before a server is created. */
export function requirePorts(
  cloud: ComputeCloud,
  projectId: string,
  nics: RequestedNic[],
  servers: number,
): void {
  const limit = limitsOf(cloud.network, projectId).port ?? -1;
  const newPorts = nics.filter(({ portId }) => portId === null).length * servers;
  if (limit >= 0 && newPorts > 0 && usageOf(cloud.network, 'port', projectId) + newPorts > limit)
    throw forbidden('Maximum number of ports exceeded');
}

/** Connects the server to a port: an existing port, or a new port that is deleted with the server. */
export function plug(cloud: ComputeCloud, server: Server, nic: RequestedNic): Port {
  const existing = nic.portId === null ? undefined : cloud.network.ports.get(nic.portId);
  if (existing !== undefined) {
    bindPort(cloud, existing, server.id, `compute:${server.zone}`);
    existing.dns_name = server.name.toLowerCase();
    return existing;
  }
  const port = createPort(
    cloud,
    { ...SYSTEM, projectId: server.projectId },
    {
      network_id: nic.networkId,
      device_id: server.id,
      device_owner: `compute:${server.zone}`,
      dns_name: server.name.toLowerCase(),
      security_groups: groupIds(cloud, server),
      ...(nic.address === null ? {} : { fixed_ips: [{ ip_address: nic.address }] }),
    },
  );
  server.createdPorts.add(port.id);
  return port;
}

function groupIds(cloud: ComputeCloud, server: Server): Json {
  const named = server.securityGroups.flatMap((name) => {
    for (const group of cloud.network.securityGroups.values())
      if (group.project_id === server.projectId && (group.name === name || group.id === name))
        return group.id;
    return [];
  });
  return named.length > 0 ? named : null;
}

export function portsOf(cloud: ComputeCloud, server: Server): Port[] {
  return [...(cloud.network.portsByDevice.get(server.id) ?? [])];
}

/**
 * Disconnects a port from the server. Deletes a port that the compute service created,
 * and unbinds other ports.
 */
export function unplug(cloud: ComputeCloud, server: Server, port: Port): void {
  if (server.createdPorts.delete(port.id)) removePort(cloud, port);
  else bindPort(cloud, port, '', '');
}
