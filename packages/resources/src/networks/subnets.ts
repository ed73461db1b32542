import type { SubnetRecord } from '@gateway/openstack';
import type { Subnet, SubnetDetail } from './subnet-shape.ts';

type SubnetFields = Pick<
  SubnetRecord,
  'id' | 'name' | 'cidr' | 'gateway_ip' | 'enable_dhcp' | 'network_id' | 'ip_version'
>;

export function presentSubnet(subnet: SubnetFields): Subnet {
  return {
    id: subnet.id,
    name: subnet.name,
    cidr: subnet.cidr,
    gateway_ip: subnet.gateway_ip,
    dhcp_enabled: subnet.enable_dhcp,
    network_id: subnet.network_id,
    network_name: null,
    ip_version: subnet.ip_version,
  };
}

export function presentSubnetDetail(subnet: SubnetRecord): SubnetDetail {
  return {
    ...presentSubnet(subnet),
    allocation_pools: subnet.allocation_pools,
    dns_nameservers: subnet.dns_nameservers,
    host_routes: subnet.host_routes,
    ipv6_address_mode: subnet.ipv6_address_mode,
    ipv6_ra_mode: subnet.ipv6_ra_mode,
  };
}
