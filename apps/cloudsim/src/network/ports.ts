import { newMacAddress } from '../common/ids.ts';
import { arrayAt, booleanAt, isObject, type Json, type JsonObject, stringAt } from '../common/json.ts';
import { badRequest, conflict } from '../common/service-error.ts';
import type { Caller } from '../http/operation.ts';
import { owns } from '../http/policy.ts';
import { allocate, allocateAddress, release } from './addresses.ts';
import type { NetworkCloud } from './cloud.ts';
import { dissociateFrom } from './floating-ips.ts';
import { visibleNetwork } from './networks.ts';
import { requireQuota } from './quotas.ts';
import { newRecord, notFoundErrors, requireOwned, requireString, touch } from './records.ts';
import { defaultGroup } from './security-groups.ts';
import type { FixedIp, Port } from './state.ts';
import { subnetsOf } from './subnets.ts';

export function createPort(cloud: NetworkCloud, caller: Caller, input: JsonObject): Port {
  const network = visibleNetwork(cloud, caller, requireString(input, 'network_id'));
  const record = newRecord(cloud, caller, input);
  requireQuota(cloud.network, 'port', record.project_id);
  const guarded = booleanAt(input, 'port_security_enabled', true);
  const port: Port = {
    ...record,
    name: stringAt(input, 'name') ?? '',
    network_id: network.id,
    mac_address: stringAt(input, 'mac_address') ?? newMacAddress(),
    admin_state_up: booleanAt(input, 'admin_state_up', true),
    status: 'DOWN',
    device_id: '',
    device_owner: '',
    fixed_ips: [],
    security_groups: groupsOf(cloud, caller, input, record.project_id, guarded),
    port_security_enabled: guarded,
    dns_name: stringAt(input, 'dns_name') ?? '',
  };
  port.fixed_ips = addressesFor(cloud, network.id, input.fixed_ips);
  cloud.network.ports.set(port.id, port);
  bindPort(cloud, port, stringAt(input, 'device_id') ?? '', stringAt(input, 'device_owner') ?? '');
  return port;
}

function groupsOf(
  cloud: NetworkCloud,
  caller: Caller,
  input: JsonObject,
  projectId: string,
  guarded: boolean,
): string[] {
  if (!Array.isArray(input.security_groups))
    return guarded && projectId !== '' ? [defaultGroup(cloud, projectId).id] : [];
  return input.security_groups.map((entry) => {
    const group = cloud.network.securityGroups.get(String(entry));
    if (group === undefined || !owns(caller, group.project_id))
      throw notFoundErrors.security_group(String(entry));
    return group.id;
  });
}

/** The groups that an update sets. Only a port with port security and an address can have groups. */
function changedGroups(
  cloud: NetworkCloud,
  caller: Caller,
  input: JsonObject,
  port: Port,
  guarded: boolean,
): string[] {
  const requested = arrayAt(input, 'security_groups');
  const repeated = requested.find((entry, index) => requested.indexOf(entry) !== index);
  if (repeated !== undefined)
    throw badRequest(
      `Invalid input for security_groups. Reason: Duplicate items in the list: '${String(repeated)}'.`,
      'HTTPBadRequest',
    );
  if (requested.length > 0 && (!guarded || port.fixed_ips.length === 0))
    throw badRequest(
      'Port security must be enabled and port must have an IP address in order to use security groups.',
      'PortSecurityAndIPRequiredForSecurityGroups',
    );
  return groupsOf(cloud, caller, input, port.project_id, guarded);
}

function stillHasGroups(): Error {
  return conflict(
    'Port has security group associated. Cannot disable port security or IP address until security group is removed.',
    'PortSecurityPortHasSecurityGroup',
  );
}

/**
 * Allocates the requested addresses, by default one address of the network. A network
 * without subnets gives none.
 */
function addressesFor(cloud: NetworkCloud, networkId: string, requested: Json | undefined): FixedIp[] {
  const subnets = subnetsOf(cloud, networkId);
  if (!Array.isArray(requested))
    return subnets.length === 0 ? [] : [allocate(cloud.network, networkId, subnets)];
  return requested.filter(isObject).map((entry) => {
    const subnetId = stringAt(entry, 'subnet_id');
    const from = subnetId === undefined ? subnets : subnets.filter((subnet) => subnet.id === subnetId);
    if (from.length === 0 && subnetId !== undefined) throw notFoundErrors.subnet(subnetId);
    const address = stringAt(entry, 'ip_address');
    return address === undefined
      ? allocate(cloud.network, networkId, from)
      : allocateAddress(cloud.network, from, address);
  });
}

/** Binds the port to a device; an empty id unbinds the port. A bound port is ACTIVE at once. */
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

function ownPort(cloud: NetworkCloud, caller: Caller, id: string, rule: string): Port {
  return requireOwned(caller, cloud.network.ports.get(id), false, rule, () => notFoundErrors.port(id));
}

export function updatePort(cloud: NetworkCloud, caller: Caller, id: string, input: JsonObject): Port {
  const port = ownPort(cloud, caller, id, 'update_port');
  const guarded = booleanAt(input, 'port_security_enabled', port.port_security_enabled);
  const groups = Array.isArray(input.security_groups)
    ? changedGroups(cloud, caller, input, port, guarded)
    : port.security_groups;
  if (!guarded && groups.length > 0) throw stillHasGroups();
  port.security_groups = groups;
  port.port_security_enabled = guarded;
  if (Array.isArray(input.fixed_ips)) {
    const before = port.fixed_ips;
    release(cloud.network, before);
    port.fixed_ips = addressesFor(cloud, port.network_id, arrayAt(input, 'fixed_ips'));
  }
  port.name = stringAt(input, 'name') ?? port.name;
  port.description = stringAt(input, 'description') ?? port.description;
  port.admin_state_up = booleanAt(input, 'admin_state_up', port.admin_state_up);
  if (input.device_id !== undefined || input.device_owner !== undefined)
    bindPort(
      cloud,
      port,
      stringAt(input, 'device_id') ?? port.device_id,
      stringAt(input, 'device_owner') ?? port.device_owner,
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

/** Deletes the port, even while a device uses it. Its floating IPs stay, without a port. */
export function removePort(cloud: NetworkCloud, port: Port): void {
  dissociateFrom(cloud, port.id);
  bindPort(cloud, port, '', '');
  release(cloud.network, port.fixed_ips);
  cloud.network.ports.delete(port.id);
}
