import type { Caller } from '../http/operation.ts';
import type { NetworkCloud } from './cloud.ts';
import { rulesOf } from './security-groups.ts';
import type {
  FloatingIp,
  Network,
  NetworkRecord,
  Port,
  Router,
  SecurityGroup,
  SecurityGroupRule,
  Subnet,
} from './state.ts';

export type WireRecord = Record<string, unknown>;

function ending(record: NetworkRecord): WireRecord {
  return {
    description: record.description,
    tags: record.tags,
    created_at: record.created_at,
    updated_at: record.updated_at,
    revision_number: record.revision_number,
    project_id: record.project_id,
  };
}

export function presentNetwork(_cloud: NetworkCloud, caller: Caller, network: Network): WireRecord {
  return {
    id: network.id,
    name: network.name,
    tenant_id: network.project_id,
    admin_state_up: network.admin_state_up,
    mtu: network.mtu,
    status: network.status,
    subnets: network.subnets,
    shared: network.shared,
    availability_zone_hints: [],
    availability_zones: [],
    ipv4_address_scope: null,
    ipv6_address_scope: null,
    'router:external': network.external,
    port_security_enabled: true,
    dns_domain: network.dns_domain,
    qos_policy_id: null,
    ...(network.external ? { is_default: false } : {}),
    ...ending(network),
    ...(caller.isAdmin
      ? {
          'provider:network_type': network.provider.type,
          'provider:physical_network': network.provider.physical,
          'provider:segmentation_id': network.provider.segment,
        }
      : {}),
  };
}

export function presentSubnet(_cloud: NetworkCloud, _caller: Caller, subnet: Subnet): WireRecord {
  return {
    id: subnet.id,
    name: subnet.name,
    tenant_id: subnet.project_id,
    network_id: subnet.network_id,
    ip_version: subnet.ip_version,
    subnetpool_id: null,
    enable_dhcp: subnet.enable_dhcp,
    ipv6_ra_mode: null,
    ipv6_address_mode: null,
    gateway_ip: subnet.gateway_ip,
    cidr: subnet.cidr,
    allocation_pools: subnet.allocation_pools,
    host_routes: subnet.host_routes,
    dns_nameservers: subnet.dns_nameservers,
    service_types: [],
    ...ending(subnet),
  };
}

export function presentPort(_cloud: NetworkCloud, caller: Caller, port: Port): WireRecord {
  return {
    id: port.id,
    name: port.name,
    network_id: port.network_id,
    tenant_id: port.project_id,
    mac_address: port.mac_address,
    admin_state_up: port.admin_state_up,
    status: port.status,
    device_id: port.device_id,
    device_owner: port.device_owner,
    fixed_ips: port.fixed_ips,
    allowed_address_pairs: [],
    extra_dhcp_opts: [],
    security_groups: port.security_groups,
    'binding:vnic_type': 'normal',
    port_security_enabled: port.port_security_enabled,
    dns_name: port.dns_name,
    dns_assignment: port.fixed_ips.map(({ ip_address }) => {
      const hostname = port.dns_name || `host-${ip_address.replaceAll('.', '-')}`;
      return { ip_address, hostname, fqdn: `${hostname}.testcloud.` };
    }),
    qos_policy_id: null,
    qos_network_policy_id: null,
    ...ending(port),
    ...(caller.isAdmin
      ? {
          'binding:profile': {},
          'binding:host_id': '',
          'binding:vif_type': 'unbound',
          'binding:vif_details': {},
          resource_request: null,
        }
      : {}),
  };
}

export function presentRouter(_cloud: NetworkCloud, caller: Caller, router: Router): WireRecord {
  return {
    id: router.id,
    name: router.name,
    tenant_id: router.project_id,
    admin_state_up: router.admin_state_up,
    status: router.status,
    external_gateway_info: router.external_gateway_info,
    availability_zones: [],
    availability_zone_hints: [],
    routes: router.routes,
    flavor_id: null,
    ...(caller.isAdmin ? { ha: false } : {}),
    ...ending(router),
  };
}

export function presentFloatingIp(cloud: NetworkCloud, _caller: Caller, floating: FloatingIp): WireRecord {
  const port = cloud.network.ports.get(floating.port_id ?? '');
  return {
    id: floating.id,
    tenant_id: floating.project_id,
    floating_ip_address: floating.floating_ip_address,
    floating_network_id: floating.floating_network_id,
    router_id: floating.router_id,
    port_id: floating.port_id,
    fixed_ip_address: floating.fixed_ip_address,
    status: floating.status,
    qos_policy_id: null,
    port_details:
      port === undefined
        ? null
        : {
            name: port.name,
            network_id: port.network_id,
            mac_address: port.mac_address,
            admin_state_up: port.admin_state_up,
            status: port.status,
            device_id: port.device_id,
            device_owner: port.device_owner,
          },
    dns_domain: '',
    dns_name: '',
    ...ending(floating),
  };
}

export function presentRule(_cloud: NetworkCloud, _caller: Caller, rule: SecurityGroupRule): WireRecord {
  return {
    id: rule.id,
    tenant_id: rule.project_id,
    security_group_id: rule.security_group_id,
    ethertype: rule.ethertype,
    direction: rule.direction,
    protocol: rule.protocol,
    port_range_min: rule.port_range_min,
    port_range_max: rule.port_range_max,
    remote_ip_prefix: rule.remote_ip_prefix,
    normalized_cidr: rule.remote_ip_prefix,
    remote_group_id: rule.remote_group_id,
    remote_address_group_id: null,
    ...ending(rule),
  };
}

/** The rules are in no certain order: here another one after each change of the group. */
export function presentSecurityGroup(cloud: NetworkCloud, caller: Caller, group: SecurityGroup): WireRecord {
  const rules = rulesOf(cloud, group.id);
  if (group.revision_number % 2 === 0) rules.reverse();
  return {
    id: group.id,
    name: group.name,
    stateful: true,
    tenant_id: group.project_id,
    shared: false,
    security_group_rules: rules.map((rule) => presentRule(cloud, caller, rule)),
    ...ending(group),
  };
}
