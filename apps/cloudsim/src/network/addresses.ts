import { badRequest, conflict } from '../common/service-error.ts';
import type { FixedIp, NetworkState, Subnet } from './state.ts';

export interface Cidr {
  first: number;
  last: number;
}

/** An IPv4 address as a number; undefined for anything else. */
export function toNumber(address: string): number | undefined {
  const parts = address.split('.');
  if (parts.length !== 4) return undefined;
  let value = 0;
  for (const part of parts) {
    const octet = Number(part);
    if (!/^\d{1,3}$/.test(part) || octet > 255) return undefined;
    value = value * 256 + octet;
  }
  return value;
}

export function toAddress(value: number): string {
  return [24, 16, 8, 0].map((shift) => Math.floor(value / 2 ** shift) % 256).join('.');
}

export function parseCidr(cidr: string): Cidr {
  const [address = '', bits = ''] = cidr.split('/');
  const base = toNumber(address);
  const width = Number(bits);
  if (base === undefined || !/^\d{1,2}$/.test(bits) || width > 32)
    throw badRequest(`Invalid input for operation: ${cidr} is not in a CIDR format.`, 'InvalidInput');
  const size = 2 ** (32 - width);
  const first = Math.floor(base / size) * size;
  return { first, last: first + size - 1 };
}

export function overlap(a: Cidr, b: Cidr): boolean {
  return a.first <= b.last && b.first <= a.last;
}

export function contains(cidr: string, address: string): boolean {
  const { first, last } = parseCidr(cidr);
  const value = toNumber(address);
  return value !== undefined && value >= first && value <= last;
}

/** The whole range except the network, gateway and broadcast addresses. */
export function defaultPools(cidr: string, gateway: string | null): { start: string; end: string }[] {
  const { first, last } = parseCidr(cidr);
  const pools: { start: string; end: string }[] = [];
  const hole = gateway === null ? undefined : toNumber(gateway);
  const inside = hole !== undefined && hole > first && hole < last;
  const ranges = inside
    ? [
        [first + 1, hole - 1],
        [hole + 1, last - 1],
      ]
    : [[first + 1, last - 1]];
  for (const [start = 0, end = 0] of ranges)
    if (start <= end) pools.push({ start: toAddress(start), end: toAddress(end) });
  return pools;
}

function usedIn(network: NetworkState, subnetId: string): Set<string> {
  const used = network.allocated.get(subnetId) ?? new Set<string>();
  network.allocated.set(subnetId, used);
  return used;
}

/** Allocates the lowest free address of the subnets' pools. */
export function allocate(network: NetworkState, networkId: string, subnets: Subnet[]): FixedIp {
  for (const subnet of subnets) {
    const used = usedIn(network, subnet.id);
    for (const pool of subnet.allocation_pools) {
      const end = toNumber(pool.end) ?? 0;
      for (let value = toNumber(pool.start) ?? 1; value <= end; value += 1) {
        const address = toAddress(value);
        if (used.has(address)) continue;
        used.add(address);
        return { subnet_id: subnet.id, ip_address: address };
      }
    }
  }
  throw conflict(`No more IP addresses available on network ${networkId}.`, 'IpAddressGenerationFailure');
}

/** Allocates the given address, inside or outside of the pools. */
export function allocateAddress(network: NetworkState, subnets: Subnet[], address: string): FixedIp {
  const subnet = subnets.find(({ cidr }) => contains(cidr, address));
  if (subnet === undefined)
    throw badRequest(
      `IP address ${address} is not a valid IP for any of the subnets on the specified network.`,
      'InvalidIpForNetwork',
    );
  const used = usedIn(network, subnet.id);
  if (used.has(address))
    throw conflict(
      `IP address ${address} already allocated in subnet ${subnet.id}`,
      'IpAddressAlreadyAllocated',
    );
  used.add(address);
  return { subnet_id: subnet.id, ip_address: address };
}

export function release(network: NetworkState, fixedIps: FixedIp[]): void {
  for (const { subnet_id, ip_address } of fixedIps) network.allocated.get(subnet_id)?.delete(ip_address);
}
