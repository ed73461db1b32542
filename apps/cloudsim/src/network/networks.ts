import { booleanAt, type JsonObject, numberAt, stringAt } from '../common/json.ts';
import { badRequest, conflict, forbidden } from '../common/service-error.ts';
import type { Caller } from '../http/operation.ts';
import { owns } from '../http/policy.ts';
import type { NetworkCloud } from './cloud.ts';
import { requireQuota } from './quotas.ts';
import { newRecord, notFoundErrors, rejectUnknownFields, requireOwned, touch } from './records.ts';
import type { Network, Port } from './state.ts';

const FIELDS = [
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

/** A project can see its own networks, and shared and external networks. */
export function canSeeNetwork(caller: Caller, network: Network): boolean {
  return owns(caller, network.project_id) || network.shared || network.external;
}

export function visibleNetwork(cloud: NetworkCloud, caller: Caller, id: string): Network {
  const network = cloud.network.networks.get(id);
  if (network === undefined || !canSeeNetwork(caller, network)) throw notFoundErrors.network(id);
  return network;
}

export function createNetwork(cloud: NetworkCloud, caller: Caller, input: JsonObject): Network {
  rejectUnknownFields(input, FIELDS);
  rejectAdminFields(caller, input, 'create_network');
  const record = newRecord(cloud, caller, input);
  requireQuota(cloud.network, 'network', record.project_id);
  const external = booleanAt(input, 'router:external', false);
  const network: Network = {
    ...record,
    name: stringAt(input, 'name') ?? '',
    admin_state_up: booleanAt(input, 'admin_state_up', true),
    status: 'ACTIVE',
    subnets: [],
    shared: booleanAt(input, 'shared', false),
    external,
    mtu: external ? 1500 : 1450,
    dns_domain: domainIn(input) ?? '',
    provider: providerIn(cloud, input),
  };
  cloud.network.networks.set(network.id, network);
  return network;
}

const PROVIDER_TYPES = ['local', 'flat', 'vlan', 'vxlan', 'gre', 'geneve'];

const FIRST_SEGMENT = 1000;

function providerIn(cloud: NetworkCloud, input: JsonObject): Network['provider'] {
  const type = stringAt(input, 'provider:network_type') ?? 'vxlan';
  const physical = stringAt(input, 'provider:physical_network') ?? null;
  const segment = numberAt(input, 'provider:segmentation_id') ?? freeSegment(cloud, type, physical);
  const invalid = (reason: string) => badRequest(`Invalid input for operation: ${reason}.`, 'InvalidInput');
  if (!PROVIDER_TYPES.includes(type)) throw invalid(`provider:network_type value '${type}' not supported`);
  if (type === 'flat' && physical === null)
    throw invalid('physical_network required for flat provider network');
  if (type === 'flat') return { type, physical, segment: null };
  for (const { provider } of cloud.network.networks.values())
    if (provider.type === type && provider.physical === physical && provider.segment === segment)
      throw type === 'vlan'
        ? conflict(
            `Unable to create the network. The VLAN ${segment} on physical network ${physical} is in use.`,
            'VlanIdInUse',
          )
        : conflict(`Unable to create the network. The tunnel ID ${segment} is in use.`, 'TunnelIdInUse');
  return { type, physical, segment };
}

/** The service reuses the segments of deleted networks. */
function freeSegment(cloud: NetworkCloud, type: string, physical: string | null): number {
  const used = new Set<number | null>();
  for (const { provider } of cloud.network.networks.values())
    if (provider.type === type && provider.physical === physical) used.add(provider.segment);
  let segment = FIRST_SEGMENT;
  while (used.has(segment)) segment += 1;
  return segment;
}

/** A name that ends with a dot, or nothing. */
function domainIn(input: JsonObject): string | undefined {
  const domain = stringAt(input, 'dns_domain');
  if (domain === undefined || domain === '') return domain;
  if (!domain.endsWith('.'))
    throw badRequest(`Invalid input for dns_domain. Reason: '${domain}' is not a FQDN.`, 'HTTPBadRequest');
  return domain;
}

function rejectAdminFields(caller: Caller, input: JsonObject, rule: string): void {
  if (caller.isAdmin) return;
  for (const key of ['shared', 'router:external', 'provider:network_type'])
    if (input[key] !== undefined && input[key] !== false)
      throw forbidden(`(rule:${rule} and rule:${rule}:${key}) is disallowed by policy`);
}

function ownNetwork(cloud: NetworkCloud, caller: Caller, id: string, rule: string): Network {
  const network = cloud.network.networks.get(id);
  const isVisible = network !== undefined && canSeeNetwork(caller, network);
  return requireOwned(caller, network, isVisible, rule, () => notFoundErrors.network(id));
}

export function updateNetwork(cloud: NetworkCloud, caller: Caller, id: string, input: JsonObject): Network {
  const network = ownNetwork(cloud, caller, id, 'update_network');
  rejectUnknownFields(input, FIELDS);
  rejectAdminFields(caller, input, 'update_network');
  network.name = stringAt(input, 'name') ?? network.name;
  network.description = stringAt(input, 'description') ?? network.description;
  network.shared = booleanAt(input, 'shared', network.shared);
  network.external = booleanAt(input, 'router:external', network.external);
  network.dns_domain = domainIn(input) ?? network.dns_domain;
  network.admin_state_up = booleanAt(input, 'admin_state_up', network.admin_state_up);
  touch(cloud, network);
  return network;
}

/** Deletes the network and its subnets; rejects a network with ports. */
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
