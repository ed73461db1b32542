import { isObject, type Json, textAt } from '../common/json.ts';
import { badRequest, conflict, forbidden } from '../common/service-error.ts';
import type { Caller } from '../http/operation.ts';
import { visibleNetwork } from '../network/networks.ts';
import { bindPort, createPort, removePort } from '../network/ports.ts';
import { limitsOf, usageOf } from '../network/quotas.ts';
import { owns } from '../network/records.ts';
import { SYSTEM } from '../network/routers.ts';
import type { Network, Port } from '../network/state.ts';
import type { ComputeCloud } from './cloud.ts';
import type { Server, WantedNic } from './state.ts';

/** What the request means by `networks`: none, one found for it, or those it lists. */
export function wantedNics(cloud: ComputeCloud, caller: Caller, asked: Json | undefined): WantedNic[] {
  if (asked === 'none') return [];
  if (!Array.isArray(asked)) return automatic(cloud, caller, asked === 'auto');
  return asked.filter(isObject).map((entry) => {
    const portId = textAt(entry, 'port');
    if (portId !== undefined) return nicOfPort(cloud, caller, portId);
    const id = textAt(entry, 'uuid') ?? '';
    return {
      networkId: usable(cloud, caller, id).id,
      portId: null,
      address: textAt(entry, 'fixed_ip') ?? null,
    };
  });
}

function automatic(cloud: ComputeCloud, caller: Caller, required: boolean): WantedNic[] {
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

function nicOfPort(cloud: ComputeCloud, caller: Caller, portId: string): WantedNic {
  const port = cloud.network.ports.get(portId);
  if (port === undefined || !owns(caller, port)) throw badRequest(`Port ${portId} could not be found.`);
  if (port.device_id !== '') throw conflict(`Port ${portId} is still in use.`);
  return { networkId: port.network_id, portId, address: null };
}

/** The service counts the ports that it will make, before it makes the server. */
export function requirePorts(
  cloud: ComputeCloud,
  projectId: string,
  nics: WantedNic[],
  servers: number,
): void {
  const limit = limitsOf(cloud.network, projectId).port ?? -1;
  const made = nics.filter(({ portId }) => portId === null).length * servers;
  if (limit >= 0 && made > 0 && usageOf(cloud.network, 'port', projectId) + made > limit)
    throw forbidden('Maximum number of ports exceeded');
}

/** Gives the server its port: the caller's own, or a new one that goes when the server goes. */
export function plug(cloud: ComputeCloud, server: Server, nic: WantedNic): Port {
  const given = nic.portId === null ? undefined : cloud.network.ports.get(nic.portId);
  if (given !== undefined) {
    bindPort(cloud, given, server.id, `compute:${server.zone}`);
    given.dns_name = server.name.toLowerCase();
    return given;
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
  server.madePorts.add(port.id);
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

/** Takes a port off the server: one the compute service made is removed, another only unbound. */
export function unplug(cloud: ComputeCloud, server: Server, port: Port): void {
  if (server.madePorts.delete(port.id)) removePort(cloud, port);
  else bindPort(cloud, port, '', '');
}
