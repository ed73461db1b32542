import { booleanAt, type JsonObject, stringAt } from '../common/json.ts';
import { badRequest, conflict, ServiceError } from '../common/service-error.ts';
import type { Caller } from '../http/operation.ts';
import { owns } from '../http/policy.ts';
import { type Cidr, defaultPools, overlap, parseCidr, toAddress, toNumber } from './addresses.ts';
import type { NetworkCloud } from './cloud.ts';
import { visibleNetwork } from './networks.ts';
import { requireQuota } from './quotas.ts';
import { newRecord, notFoundErrors, requireOwned, requireString, touch } from './records.ts';
import type { Subnet } from './state.ts';
import { optionsIn, rejectInsidePools } from './subnet-options.ts';

export function subnetsOf(cloud: NetworkCloud, networkId: string): Subnet[] {
  const ids = cloud.network.networks.get(networkId)?.subnets ?? [];
  return ids.flatMap((id) => cloud.network.subnets.get(id) ?? []);
}

/** A project can see its own subnets, and those of shared networks. */
export function canSeeSubnet(cloud: NetworkCloud, caller: Caller, subnet: Subnet): boolean {
  return owns(caller, subnet.project_id) || cloud.network.networks.get(subnet.network_id)?.shared === true;
}

export function createSubnet(cloud: NetworkCloud, caller: Caller, input: JsonObject): Subnet {
  const networkId = requireString(input, 'network_id');
  if (input.ip_version !== 4 && input.ip_version !== 6) requireString(input, 'ip_version');
  const cidr = requireString(input, 'cidr');
  const network = visibleNetwork(cloud, caller, networkId);
  if (!owns(caller, network.project_id))
    throw new ServiceError(
      403,
      `Tenant ${caller.projectId} not allowed to create subnet on this network`,
      'HTTPForbidden',
    );
  const range = parseCidr(cidr);
  if (booleanAt(input, 'enable_dhcp', true)) requireDhcpRange(range);
  for (const other of subnetsOf(cloud, networkId))
    if (overlap(range, parseCidr(other.cidr)))
      throw badRequest(
        `Invalid input for operation: Requested subnet with cidr: ${cidr} for network: ${networkId} overlaps with another subnet.`,
        'InvalidInput',
      );
  const record = newRecord(cloud, caller, { ...input, project_id: network.project_id });
  requireQuota(cloud.network, 'subnet', record.project_id);
  const gateway =
    input.gateway_ip === null ? null : (stringAt(input, 'gateway_ip') ?? toAddress(range.first + 1));
  requireValidGateway(cidr, gateway);
  const { allocation_pools, dns_nameservers = [], host_routes = [] } = optionsIn(input, cidr);
  rejectInsidePools(allocation_pools ?? [], gateway);
  const subnet: Subnet = {
    ...record,
    revision_number: 0,
    name: stringAt(input, 'name') ?? '',
    network_id: networkId,
    ip_version: 4,
    enable_dhcp: booleanAt(input, 'enable_dhcp', true),
    gateway_ip: gateway,
    cidr: `${toAddress(range.first)}/${cidr.split('/')[1]}`,
    allocation_pools: allocation_pools ?? defaultPools(cidr, gateway),
    dns_nameservers,
    host_routes,
  };
  cloud.network.subnets.set(subnet.id, subnet);
  network.subnets.push(subnet.id);
  touch(cloud, network);
  return subnet;
}

/** A gateway outside of the subnet is valid. The network's own address and its broadcast address are not. */
function requireValidGateway(cidr: string, gateway: string | null): void {
  const { first, last } = parseCidr(cidr);
  if (gateway !== null && [first, last].includes(toNumber(gateway) ?? first))
    throw badRequest('Invalid input for operation: Gateway is not valid on subnet.', 'InvalidInput');
}

/** DHCP rejects networks of one or two addresses, and multicast and loopback networks. */
function requireDhcpRange({ first, last }: Cidr): void {
  const octet = Math.floor(first / 2 ** 24);
  if (last - first < 3)
    throw invalid('Subnet has a prefix length that is incompatible with DHCP service enabled.');
  if (first === 0)
    throw invalid(`First IP '${toAddress(first)}' of network is not supported if enable_dhcp is True..`);
  if (octet >= 224 && octet < 240)
    throw invalid('Multicast IP subnet is not supported if enable_dhcp is True.');
  if (octet === 127) throw invalid('Loopback IP subnet is not supported if enable_dhcp is True.');
}

function invalid(reason: string): ServiceError {
  return badRequest(`Invalid input for operation: ${reason}`, 'InvalidInput');
}

function ownSubnet(cloud: NetworkCloud, caller: Caller, id: string, rule: string): Subnet {
  const subnet = cloud.network.subnets.get(id);
  const isVisible = subnet !== undefined && canSeeSubnet(cloud, caller, subnet);
  return requireOwned(caller, subnet, isVisible, rule, () => notFoundErrors.subnet(id));
}

export function updateSubnet(cloud: NetworkCloud, caller: Caller, id: string, input: JsonObject): Subnet {
  const subnet = ownSubnet(cloud, caller, id, 'update_subnet');
  const options = optionsIn(input, subnet.cidr, id);
  const gateway =
    input.gateway_ip === undefined ? subnet.gateway_ip : (stringAt(input, 'gateway_ip') ?? null);
  if (input.gateway_ip !== undefined) requireValidGateway(subnet.cidr, gateway);
  rejectInsidePools(options.allocation_pools ?? subnet.allocation_pools, gateway);
  Object.assign(subnet, options, { gateway_ip: gateway });
  subnet.name = stringAt(input, 'name') ?? subnet.name;
  subnet.description = stringAt(input, 'description') ?? subnet.description;
  subnet.enable_dhcp = booleanAt(input, 'enable_dhcp', subnet.enable_dhcp);
  touch(cloud, subnet);
  return subnet;
}

export function deleteSubnet(cloud: NetworkCloud, caller: Caller, id: string): void {
  const subnet = ownSubnet(cloud, caller, id, 'delete_subnet');
  for (const port of cloud.network.ports.values())
    if (port.fixed_ips.some((fixed) => fixed.subnet_id === id))
      throw conflict(
        `Unable to complete operation on subnet ${id}: One or more ports have an IP allocation from this subnet.`,
        'SubnetInUse',
      );
  cloud.network.subnets.delete(id);
  cloud.network.allocated.delete(id);
  const network = cloud.network.networks.get(subnet.network_id);
  if (network === undefined) return;
  network.subnets = network.subnets.filter((other) => other !== id);
  touch(cloud, network);
}
