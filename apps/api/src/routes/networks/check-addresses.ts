import { BlockList, isIPv6 } from 'node:net';
import { invalidInput } from '@gateway/core';
import type { NetworkRecord } from '@gateway/openstack';

/** The addresses that a subnet can be given besides its own range. */
interface SubnetAddresses {
  gateway_ip?: string | null;
  allocation_pools?: readonly { start: string; end: string }[];
  dns_nameservers?: readonly string[];
  host_routes?: readonly { destination: string; nexthop: string }[];
}

type Problem = [field: string, message: string];

/** 4 or 6: the version of an address or of a network in CIDR notation. */
export function ipVersionOf(cidr: string): 4 | 6 {
  return cidr.includes(':') ? 6 : 4;
}

/** What the service needs besides the input. A subnet belongs to the project of its network. */
export function subnetIn<Body extends { cidr: string }>({ id, project_id }: NetworkRecord, body: Body) {
  const owner = project_id === '' ? {} : { project_id };
  return { ...body, ...owner, network_id: id, ip_version: ipVersionOf(body.cidr) };
}

/**
 * Refuses what the service refuses whatever else exists, to name the field. The service decides which
 * addresses are allowed, and how many. A gateway may be outside of the subnet: that of an IPv6 network
 * usually is a link-local address, and point-to-point networks have gateways elsewhere.
 *
 * @param cidr empty if it is not known
 * @throws 400
 */
export function checkAddresses(cidr: string, addresses: SubnetAddresses): void {
  if (cidr === '') return;
  const problem = [...problemsOf(cidr, addresses)][0];
  if (problem === undefined) return;
  const [field, message] = problem;
  throw invalidInput(`${field} ${message}.`, { errors: [{ field: `body.${field}`, message }] });
}

function* problemsOf(cidr: string, addresses: SubnetAddresses): Generator<Problem> {
  const { allocation_pools = [], dns_nameservers = [], gateway_ip, host_routes = [] } = addresses;
  const inside = `must be an address of ${cidr}`;
  const version = ipVersionOf(cidr);
  const sameVersion = `must be of IP version ${version}`;
  if (gateway_ip && ipVersionOf(gateway_ip) !== version) yield ['gateway_ip', sameVersion];
  for (const [index, { start, end }] of allocation_pools.entries()) {
    if (!contains(cidr, start)) yield [`allocation_pools.${index}.start`, inside];
    if (!contains(cidr, end)) yield [`allocation_pools.${index}.end`, inside];
  }
  for (const [index, address] of dns_nameservers.entries()) {
    if (ipVersionOf(address) !== version) yield [`dns_nameservers.${index}`, sameVersion];
  }
  for (const [index, { destination, nexthop }] of host_routes.entries()) {
    if (ipVersionOf(destination) !== version) yield [`host_routes.${index}.destination`, sameVersion];
    if (ipVersionOf(nexthop) !== version) yield [`host_routes.${index}.nexthop`, sameVersion];
  }
}

function contains(cidr: string, address: string): boolean {
  const [network = '', bits] = cidr.split('/');
  const family = isIPv6(network) ? 'ipv6' : 'ipv4';
  if (isIPv6(address) !== (family === 'ipv6')) return false;
  const range = new BlockList();
  range.addSubnet(network, Number(bits), family);
  return range.check(address, family);
}
