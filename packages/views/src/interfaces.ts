import type { PortRecord, SecurityGroupRecord } from '@gateway/openstack';

export interface InstanceInterface {
  /** The port's id, like `port_id`. */
  id: string;
  port_id: string;
  /** The network's id, like `network_id`. */
  net_id: string;
  network_id: string;
  mac_address: string;
  fixed_ips: { subnet_id: string; ip_address: string }[];
  security_group_ids: string[];
  status: string;
}

export function presentInterface(port: PortRecord): InstanceInterface {
  return {
    id: port.id,
    port_id: port.id,
    net_id: port.network_id,
    network_id: port.network_id,
    mac_address: port.mac_address,
    fixed_ips: port.fixed_ips.map(({ subnet_id, ip_address }) => ({ subnet_id, ip_address })),
    security_group_ids: port.security_groups,
    status: port.status,
  };
}

export interface PortSecurityGroups {
  port_id: string;
  port_name: string;
  security_groups: { id: string; name: string }[];
}

/** Groups that the caller cannot see have an empty name. */
export function presentPortSecurityGroups(
  { id, name, security_groups }: PortRecord,
  groups: readonly Pick<SecurityGroupRecord, 'id' | 'name'>[],
): PortSecurityGroups {
  const names = new Map(groups.map((group) => [group.id, group.name]));
  return {
    port_id: id,
    port_name: name,
    security_groups: security_groups.map((groupId) => ({ id: groupId, name: names.get(groupId) ?? '' })),
  };
}
