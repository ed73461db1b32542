import type { FixedIp, PortRecord, SecurityGroupRecord } from '@gateway/openstack';
import type { ListSources } from '../lists/cached-list.ts';
import { addNames } from '../lists/names.ts';
import type { NamedFixedIp } from './fixed-ips-shape.ts';
import type { InstanceInterface, PortSecurityGroups } from './interface-shape.ts';
import { subnetNames } from './name-lists.ts';
import { networkNames } from './networks.ts';
import { securityGroupNames } from './security-groups.ts';

export function presentFixedIp({ subnet_id, ip_address }: FixedIp): NamedFixedIp {
  return { subnet_id, subnet_name: null, ip_address };
}

export function presentInterface(port: PortRecord): InstanceInterface {
  return {
    id: port.id,
    port_id: port.id,
    port_name: port.name,
    net_id: port.network_id,
    network_id: port.network_id,
    network_name: null,
    mac_address: port.mac_address,
    fixed_ips: port.fixed_ips.map(presentFixedIp),
    security_group_ids: port.security_groups,
    security_group_names: port.security_groups.map(() => null),
    port_security_enabled: port.port_security_enabled,
    allowed_address_pairs: port.allowed_address_pairs,
    status: port.status,
  };
}

/** Adds the names of networks, subnets and security groups to the interfaces of an instance. */
export async function nameInterfaces(
  sources: ListSources,
  interfaces: InstanceInterface[],
): Promise<InstanceInterface[]> {
  const addresses = interfaces.flatMap(({ fixed_ips }) => fixed_ips);
  await addNames(sources, addresses, { subnet_id: subnetNames.project });
  return addNames(sources, interfaces, {
    network_id: networkNames.project,
    security_group_ids: securityGroupNames,
  });
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
