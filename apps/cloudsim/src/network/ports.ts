import { newMacAddress } from '../common/ids.ts';
import { isObject, type Json, type JsonObject, listAt, textAt, truthAt } from '../common/json.ts';
import { conflict } from '../common/service-error.ts';
import type { Caller } from '../http/operation.ts';
import { allocate, allocateAddress, release } from './addresses.ts';
import type { NetworkCloud } from './cloud.ts';
import { dissociateFrom } from './floating-ips.ts';
import { visibleNetwork } from './networks.ts';
import { requireQuota } from './quotas.ts';
import { changeable, missing, newRecord, owns, requireText, touch } from './records.ts';
import { defaultGroup } from './security-groups.ts';
import type { FixedIp, Port } from './state.ts';
import { subnetsOf } from './subnets.ts';

export function createPort(cloud: NetworkCloud, caller: Caller, given: JsonObject): Port {
  const network = visibleNetwork(cloud, caller, requireText(given, 'network_id'));
  const record = newRecord(cloud, caller, given);
  requireQuota(cloud.network, 'port', record.project_id);
  const guarded = truthAt(given, 'port_security_enabled', true);
  const port: Port = {
    ...record,
    name: textAt(given, 'name') ?? '',
    network_id: network.id,
    mac_address: textAt(given, 'mac_address') ?? newMacAddress(),
    admin_state_up: truthAt(given, 'admin_state_up', true),
    status: 'DOWN',
    device_id: '',
    device_owner: '',
    fixed_ips: [],
    security_groups: groupsOf(cloud, caller, given, record.project_id, guarded),
    port_security_enabled: guarded,
    dns_name: textAt(given, 'dns_name') ?? '',
  };
  port.fixed_ips = addressesFor(cloud, network.id, given.fixed_ips);
  cloud.network.ports.set(port.id, port);
  bindPort(cloud, port, textAt(given, 'device_id') ?? '', textAt(given, 'device_owner') ?? '');
  return port;
}

function groupsOf(
  cloud: NetworkCloud,
  caller: Caller,
  given: JsonObject,
  projectId: string,
  guarded: boolean,
): string[] {
  if (!Array.isArray(given.security_groups))
    return guarded && projectId !== '' ? [defaultGroup(cloud, projectId).id] : [];
  return given.security_groups.map((entry) => {
    const group = cloud.network.securityGroups.get(String(entry));
    if (group === undefined || !owns(caller, group)) throw missing.security_group(String(entry));
    return group.id;
  });
}

/** Named addresses, or one address of the network's subnets; none on a network without subnets. */
function addressesFor(cloud: NetworkCloud, networkId: string, wanted: Json | undefined): FixedIp[] {
  const subnets = subnetsOf(cloud, networkId);
  if (!Array.isArray(wanted))
    return subnets.length === 0 ? [] : [allocate(cloud.network, networkId, subnets)];
  return wanted.filter(isObject).map((entry) => {
    const subnetId = textAt(entry, 'subnet_id');
    const from = subnetId === undefined ? subnets : subnets.filter((subnet) => subnet.id === subnetId);
    if (from.length === 0 && subnetId !== undefined) throw missing.subnet(subnetId);
    const address = textAt(entry, 'ip_address');
    return address === undefined
      ? allocate(cloud.network, networkId, from)
      : allocateAddress(cloud.network, from, address);
  });
}

/** Gives the port to a device, or with an empty id takes it back. A bound port is up at once. */
export function bindPort(cloud: NetworkCloud, port: Port, deviceId: string, deviceOwner: string): void {
  const { portsByDevice } = cloud.network;
  const before = portsByDevice.get(port.device_id);
  before?.delete(port);
  if (before?.size === 0) portsByDevice.delete(port.device_id);
  port.device_id = deviceId;
  port.device_owner = deviceOwner;
  port.status = deviceId === '' ? 'DOWN' : 'ACTIVE';
  if (deviceId === '') return;
  const ports = portsByDevice.get(deviceId) ?? new Set();
  portsByDevice.set(deviceId, ports.add(port));
}

export function ownPort(cloud: NetworkCloud, caller: Caller, id: string, rule: string): Port {
  return changeable(caller, cloud.network.ports.get(id), false, rule, () => missing.port(id));
}

export function updatePort(cloud: NetworkCloud, caller: Caller, id: string, given: JsonObject): Port {
  const port = ownPort(cloud, caller, id, 'update_port');
  if (Array.isArray(given.security_groups))
    port.security_groups = groupsOf(cloud, caller, given, port.project_id, true);
  if (Array.isArray(given.fixed_ips)) {
    const before = port.fixed_ips;
    release(cloud.network, before);
    port.fixed_ips = addressesFor(cloud, port.network_id, listAt(given, 'fixed_ips'));
  }
  port.name = textAt(given, 'name') ?? port.name;
  port.description = textAt(given, 'description') ?? port.description;
  port.admin_state_up = truthAt(given, 'admin_state_up', port.admin_state_up);
  port.port_security_enabled = truthAt(given, 'port_security_enabled', port.port_security_enabled);
  if (given.device_id !== undefined || given.device_owner !== undefined)
    bindPort(
      cloud,
      port,
      textAt(given, 'device_id') ?? port.device_id,
      textAt(given, 'device_owner') ?? port.device_owner,
    );
  touch(cloud, port);
  return port;
}

export function deletePort(cloud: NetworkCloud, caller: Caller, id: string): void {
  const port = ownPort(cloud, caller, id, 'delete_port');
  if (port.device_owner.startsWith('network:router') || port.device_owner === 'network:floatingip')
    throw conflict(
      `Port ${id} cannot be deleted directly via the port API: has device owner ${port.device_owner}.`,
      'ServicePortInUse',
    );
  removePort(cloud, port);
}

/** Takes the port away whoever has it; floating IPs on it stay, without a port. */
export function removePort(cloud: NetworkCloud, port: Port): void {
  dissociateFrom(cloud, port.id);
  bindPort(cloud, port, '', '');
  release(cloud.network, port.fixed_ips);
  cloud.network.ports.delete(port.id);
}
