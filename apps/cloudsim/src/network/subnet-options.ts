import { arrayAt, isObject, type JsonObject, stringAt } from '../common/json.ts';
import { badRequest, conflict } from '../common/service-error.ts';
import { parseCidr, toAddress, toNumber } from './addresses.ts';
import type { Route, Subnet } from './state.ts';

type Options = Pick<Subnet, 'allocation_pools' | 'dns_nameservers' | 'host_routes'>;

const MAX_NAMESERVERS = 5;
const MAX_ROUTES = 20;

/** The routes in the field, of a subnet or of a router. */
export function routesIn(input: JsonObject, key: string): Route[] {
  return arrayAt(input, key).flatMap((route) =>
    isObject(route)
      ? [{ destination: stringAt(route, 'destination') ?? '', nexthop: stringAt(route, 'nexthop') ?? '' }]
      : [],
  );
}

/** The options in the input, as far as it has them. Each replaces all entries. */
export function optionsIn(input: JsonObject, cidr: string, id = 'new subnet'): Partial<Options> {
  const options: Partial<Options> = {};
  if (input.allocation_pools !== undefined) options.allocation_pools = poolsIn(input, cidr);
  if (input.dns_nameservers !== undefined) {
    options.dns_nameservers = arrayAt(input, 'dns_nameservers').map(String);
    if (options.dns_nameservers.length > MAX_NAMESERVERS)
      throw exhausted(id, 'DNS nameservers', MAX_NAMESERVERS, 'DNSNameServersExhausted');
  }
  if (input.host_routes !== undefined) {
    options.host_routes = routesIn(input, 'host_routes');
    if (options.host_routes.length > MAX_ROUTES)
      throw exhausted(id, 'host routes', MAX_ROUTES, 'HostRoutesExhausted');
  }
  return options;
}

function exhausted(id: string, what: string, limit: number, type: string): Error {
  return badRequest(
    `Unable to complete operation for ${id}. The number of ${what} exceeds the limit ${limit}.`,
    type,
  );
}

/** Ranges within the subnet that do not overlap. The first and the last address of the subnet are in none. */
function poolsIn(input: JsonObject, cidr: string): Subnet['allocation_pools'] {
  const pools = arrayAt(input, 'allocation_pools').flatMap((pool) =>
    isObject(pool) ? [{ start: stringAt(pool, 'start') ?? '', end: stringAt(pool, 'end') ?? '' }] : [],
  );
  const range = parseCidr(cidr);
  let before: { end: number; text: string } | undefined;
  for (const { first, last, text } of pools.map(numbered).sort((a, b) => a.first - b.first)) {
    if (last < first) throw badRequest(`The allocation pool ${text} is not valid.`, 'InvalidAllocationPool');
    if (first <= range.first || last >= range.last)
      throw conflict(
        `The allocation pool ${text} spans beyond the subnet cidr ${toAddress(range.first)}/${cidr.split('/')[1]}.`,
        'OutOfBoundsAllocationPool',
      );
    if (before !== undefined && first <= before.end)
      throw conflict(
        `Found overlapping allocation pools: ${before.text} ${text} for subnet ${cidr}.`,
        'OverlappingAllocationPools',
      );
    before = { end: last, text };
  }
  return pools;
}

function numbered({ start, end }: { start: string; end: string }) {
  return { first: toNumber(start) ?? 0, last: toNumber(end) ?? 0, text: `${start}-${end}` };
}

export function rejectInsidePools(pools: Subnet['allocation_pools'], gateway: string | null): void {
  const value = gateway === null ? undefined : toNumber(gateway);
  if (value === undefined) return;
  for (const { start, end } of pools)
    if (value >= (toNumber(start) ?? 0) && value <= (toNumber(end) ?? 0))
      throw conflict(
        `Gateway ip ${gateway} conflicts with allocation pool ${start}-${end}.`,
        'GatewayConflictWithAllocationPools',
      );
}
