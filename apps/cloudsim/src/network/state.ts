/** Network records use the field names of the API, because every field can be a filter. */
export interface NetworkRecord {
  id: string;
  name?: string;
  project_id: string;
  description: string | null;
  tags: string[];
  created_at: string;
  updated_at: string;
  revision_number: number;
}

export interface Network extends NetworkRecord {
  name: string;
  admin_state_up: boolean;
  status: string;
  subnets: string[];
  shared: boolean;
  external: boolean;
  mtu: number;
  dns_domain: string;
  provider: { type: string; physical: string | null; segment: number | null };
}

export interface Route {
  destination: string;
  nexthop: string;
}

export interface Subnet extends NetworkRecord {
  name: string;
  network_id: string;
  ip_version: number;
  enable_dhcp: boolean;
  gateway_ip: string | null;
  cidr: string;
  allocation_pools: { start: string; end: string }[];
  dns_nameservers: string[];
  host_routes: Route[];
}

export interface FixedIp {
  subnet_id: string;
  ip_address: string;
}

export interface Port extends NetworkRecord {
  name: string;
  network_id: string;
  mac_address: string;
  admin_state_up: boolean;
  status: string;
  device_id: string;
  device_owner: string;
  fixed_ips: FixedIp[];
  security_groups: string[];
  port_security_enabled: boolean;
  dns_name: string;
}

export interface Router extends NetworkRecord {
  name: string;
  admin_state_up: boolean;
  status: string;
  external_gateway_info: {
    network_id: string;
    external_fixed_ips: FixedIp[];
    enable_snat: boolean;
  } | null;
  routes: Route[];
}

export interface FloatingIp extends NetworkRecord {
  floating_ip_address: string;
  floating_network_id: string;
  router_id: string | null;
  port_id: string | null;
  fixed_ip_address: string | null;
  status: string;
  /** The allocated address of the external subnet. */
  held: FixedIp;
  /** Whether the compute service shows the association; false for a moment after it is made. */
  isKnownToCompute: boolean;
}

export interface SecurityGroupRule extends NetworkRecord {
  security_group_id: string;
  ethertype: string;
  direction: string;
  protocol: string | null;
  port_range_min: number | null;
  port_range_max: number | null;
  remote_ip_prefix: string | null;
  remote_group_id: string | null;
}

export interface SecurityGroup extends NetworkRecord {
  name: string;
}

export interface NetworkState {
  networks: Map<string, Network>;
  subnets: Map<string, Subnet>;
  ports: Map<string, Port>;
  routers: Map<string, Router>;
  floatingIps: Map<string, FloatingIp>;
  securityGroups: Map<string, SecurityGroup>;
  rules: Map<string, SecurityGroupRule>;
  /** Allocated addresses by subnet id. */
  allocated: Map<string, Set<string>>;
  portsByDevice: Map<string, Set<Port>>;
  floatingIpsByPort: Map<string, Set<FloatingIp>>;
  /** Limits by project id, where they differ from the defaults. */
  quotas: Map<string, Record<string, number>>;
  defaultQuota: Record<string, number>;
}

/** The kind of each collection for leak checks; null for what is not counted (`RecordKinds`). */
export const networkKinds = {
  networks: 'networks',
  subnets: null,
  ports: 'ports',
  routers: 'routers',
  floatingIps: 'floating_ips',
  securityGroups: 'security_groups',
  rules: null,
} as const;

export function emptyNetwork(): NetworkState {
  return {
    networks: new Map(),
    subnets: new Map(),
    ports: new Map(),
    routers: new Map(),
    floatingIps: new Map(),
    securityGroups: new Map(),
    rules: new Map(),
    allocated: new Map(),
    portsByDevice: new Map(),
    floatingIpsByPort: new Map(),
    quotas: new Map(),
    defaultQuota: defaultQuota(),
  };
}

function defaultQuota(): Record<string, number> {
  return {
    network: -1,
    subnet: -1,
    subnetpool: -1,
    port: -1,
    router: -1,
    floatingip: -1,
    rbac_policy: 10,
    security_group: -1,
    security_group_rule: -1,
  };
}
