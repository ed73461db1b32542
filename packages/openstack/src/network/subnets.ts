import { z } from 'zod';
import { Collection } from '../collection.ts';
import { alsoNamed, flag, item, key, listOf, text, textOrNull } from '../records/fields.ts';
import { declareRecord, type RecordOf } from '../records/record.ts';
import type { ServiceClient } from '../service.ts';
import type { NetworkFilters } from './filters.ts';

const ipVersion = z
  .union([z.literal([4, 6]), z.literal(['4', '6']).transform((digit) => Number(digit) as 4 | 6)])
  .catch(4);

export const subnetRecord = declareRecord('network', 'subnet', {
  id: key(),
  name: text(),
  project_id: alsoNamed('tenant_id', text()),
  network_id: text(),
  /** Empty for what is no network: nothing is allowed from there. */
  cidr: z.union([z.cidrv4(), z.cidrv6()]).catch(''),
  ip_version: ipVersion,
  gateway_ip: textOrNull(),
  /** Servers in a subnet without DHCP get a config drive, which does no harm in others. */
  enable_dhcp: flag(false),
  allocation_pools: listOf(item({ start: text(), end: text() })),
  dns_nameservers: listOf(key()),
  host_routes: listOf(item({ destination: text(), nexthop: text() })),
  /** How machines get IPv6 addresses and routes: `slaac`, `dhcpv6-stateful`, `dhcpv6-stateless`. */
  ipv6_address_mode: textOrNull(),
  ipv6_ra_mode: textOrNull(),
});

export type SubnetRecord = RecordOf<typeof subnetRecord>;

interface SubnetCreate {
  network_id: string;
  cidr: string;
  ip_version: 4 | 6;
  name?: string;
  /** Null for no gateway. Defaults to the first address. */
  gateway_ip?: string | null;
  enable_dhcp?: boolean;
  dns_nameservers?: string[];
  allocation_pools?: { start: string; end: string }[];
  host_routes?: { destination: string; nexthop: string }[];
  description?: string;
  project_id?: string;
}

type SubnetUpdate = Partial<Omit<SubnetCreate, 'network_id' | 'cidr' | 'ip_version' | 'project_id'>>;

type SubnetQuery = NetworkFilters & { network_id?: string | readonly string[]; cidr?: string };

export class Subnets extends Collection<SubnetRecord, SubnetCreate, SubnetUpdate, SubnetQuery> {
  constructor(network: ServiceClient) {
    super(network, 'subnets', 'subnet', 'subnets', '', subnetRecord);
  }
}
