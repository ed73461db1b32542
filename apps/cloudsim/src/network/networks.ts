import { type JsonObject, textAt, truthAt } from '../common/json.ts';
import { conflict, forbidden } from '../common/service-error.ts';
import type { Caller } from '../http/operation.ts';
import type { NetworkCloud } from './cloud.ts';
import { requireQuota } from './quotas.ts';
import { changeable, missing, newRecord, owns, refuseUnknown, touch } from './records.ts';
import type { Network, Port } from './state.ts';

const KNOWN = [
  'name',
  'admin_state_up',
  'shared',
  'project_id',
  'tenant_id',
  'description',
  'mtu',
  'dns_domain',
  'port_security_enabled',
  'availability_zone_hints',
  'qos_policy_id',
  'is_default',
  'router:external',
  'provider:network_type',
  'provider:physical_network',
  'provider:segmentation_id',
];

/** A project sees its own networks, the shared and the external ones. */
export function seesNetwork(caller: Caller, network: Network): boolean {
  return owns(caller, network) || network.shared || network.external;
}

export function visibleNetwork(cloud: NetworkCloud, caller: Caller, id: string): Network {
  const network = cloud.network.networks.get(id);
  if (network === undefined || !seesNetwork(caller, network)) throw missing.network(id);
  return network;
}

export function createNetwork(cloud: NetworkCloud, caller: Caller, given: JsonObject): Network {
  refuseUnknown(given, KNOWN);
  refuseAdministrators(caller, given, 'create_network');
  const record = newRecord(cloud, caller, given);
  requireQuota(cloud.network, 'network', record.project_id);
  const external = truthAt(given, 'router:external', false);
  const network: Network = {
    ...record,
    name: textAt(given, 'name') ?? '',
    admin_state_up: truthAt(given, 'admin_state_up', true),
    status: 'ACTIVE',
    subnets: [],
    shared: truthAt(given, 'shared', false),
    external,
    mtu: external ? 1500 : 1450,
    provider: {
      type: textAt(given, 'provider:network_type') ?? 'vxlan',
      physical: textAt(given, 'provider:physical_network') ?? null,
      segment: 1000 + cloud.network.networks.size,
    },
  };
  cloud.network.networks.set(network.id, network);
  return network;
}

function refuseAdministrators(caller: Caller, given: JsonObject, rule: string): void {
  if (caller.isAdmin) return;
  for (const key of ['shared', 'router:external', 'provider:network_type'])
    if (given[key] !== undefined && given[key] !== false)
      throw forbidden(`(rule:${rule} and rule:${rule}:${key}) is disallowed by policy`);
}

export function ownNetwork(cloud: NetworkCloud, caller: Caller, id: string, rule: string): Network {
  const network = cloud.network.networks.get(id);
  const sees = network !== undefined && seesNetwork(caller, network);
  return changeable(caller, network, sees, rule, () => missing.network(id));
}

export function updateNetwork(cloud: NetworkCloud, caller: Caller, id: string, given: JsonObject): Network {
  const network = ownNetwork(cloud, caller, id, 'update_network');
  refuseUnknown(given, KNOWN);
  refuseAdministrators(caller, given, 'update_network');
  network.name = textAt(given, 'name') ?? network.name;
  network.description = textAt(given, 'description') ?? network.description;
  network.shared = truthAt(given, 'shared', network.shared);
  network.external = truthAt(given, 'router:external', network.external);
  network.admin_state_up = truthAt(given, 'admin_state_up', network.admin_state_up);
  touch(cloud, network);
  return network;
}

/** Refused while ports are on the network; its subnets go with it. */
export function deleteNetwork(cloud: NetworkCloud, caller: Caller, id: string): void {
  const network = ownNetwork(cloud, caller, id, 'delete_network');
  const ports: Port[] = [];
  for (const port of cloud.network.ports.values()) if (port.network_id === id) ports.push(port);
  if (ports.length > 0)
    throw conflict(
      `Unable to complete operation on network ${id}. There are one or more ports still in use on the network, id for these ports is: ${ports
        .map((port) => port.id)
        .sort()
        .join(',')}.`,
      'NetworkInUse',
    );
  for (const subnetId of network.subnets) cloud.network.subnets.delete(subnetId);
  cloud.network.networks.delete(id);
}
