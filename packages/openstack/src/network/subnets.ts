import { Collection } from '../collection.ts';
import type { ServiceClient } from '../service.ts';
import type { NetworkFilters } from './filters.ts';

export interface SubnetRecord {
  id: string;
  name: string;
  project_id: string;
  network_id: string;
  cidr: string;
  ip_version: 4 | 6;
  gateway_ip: string | null;
  enable_dhcp: boolean;
  allocation_pools: { start: string; end: string }[];
  dns_nameservers: string[];
  host_routes: { destination: string; nexthop: string }[];
  /** How machines get IPv6 addresses and routes: `slaac`, `dhcpv6-stateful`, `dhcpv6-stateless`. */
  ipv6_address_mode?: string | null;
  ipv6_ra_mode?: string | null;
  description: string;
  tags: string[];
  created_at: string;
  updated_at: string;
}

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
    super(network, 'subnets', 'subnet', 'subnets');
  }
}
