import { newUuid } from '../common/ids.ts';
import { type JsonObject, numberAt, stringAt } from '../common/json.ts';
import { badRequest, conflict } from '../common/service-error.ts';
import { seconds } from '../common/timestamps.ts';
import type { Caller } from '../http/operation.ts';
import type { NetworkCloud } from './cloud.ts';
import { requireQuota } from './quotas.ts';
import { newRecord, notFoundErrors, requireOwned, requireString, touch } from './records.ts';
import type { NetworkRecord, SecurityGroup, SecurityGroupRule } from './state.ts';

export function rulesOf(cloud: NetworkCloud, groupId: string): SecurityGroupRule[] {
  const rules: SecurityGroupRule[] = [];
  for (const rule of cloud.network.rules.values()) if (rule.security_group_id === groupId) rules.push(rule);
  return rules;
}

/** The project's default security group, created on first use. */
export function defaultGroup(cloud: NetworkCloud, projectId: string): SecurityGroup {
  for (const group of cloud.network.securityGroups.values())
    if (group.project_id === projectId && group.name === 'default') return group;
  const now = seconds(cloud.clock.now());
  const record: NetworkRecord = {
    id: newUuid(),
    project_id: projectId,
    description: 'Default security group',
    tags: [],
    created_at: now,
    updated_at: now,
    revision_number: 1,
  };
  const group = addGroup(cloud, { ...record, name: 'default' });
  for (const ethertype of ['IPv4', 'IPv6'])
    addRule(cloud, group, { direction: 'ingress', ethertype, remote_group_id: group.id });
  return group;
}

function addGroup(cloud: NetworkCloud, group: SecurityGroup): SecurityGroup {
  cloud.network.securityGroups.set(group.id, group);
  for (const ethertype of ['IPv4', 'IPv6']) addRule(cloud, group, { direction: 'egress', ethertype });
  return group;
}

function addRule(
  cloud: NetworkCloud,
  group: SecurityGroup,
  input: Partial<SecurityGroupRule>,
): SecurityGroupRule {
  const now = seconds(cloud.clock.now());
  const rule: SecurityGroupRule = {
    id: newUuid(),
    project_id: group.project_id,
    security_group_id: group.id,
    ethertype: 'IPv4',
    direction: 'ingress',
    protocol: null,
    port_range_min: null,
    port_range_max: null,
    remote_ip_prefix: null,
    remote_group_id: null,
    description: null,
    tags: [],
    created_at: now,
    updated_at: now,
    revision_number: 0,
    ...input,
  };
  cloud.network.rules.set(rule.id, rule);
  return rule;
}

export function createSecurityGroup(cloud: NetworkCloud, caller: Caller, input: JsonObject): SecurityGroup {
  const record = newRecord(cloud, caller, input);
  defaultGroup(cloud, record.project_id);
  requireQuota(cloud.network, 'security_group', record.project_id);
  return addGroup(cloud, { ...record, name: nameIn(input) ?? '' });
}

function nameIn(input: JsonObject): string | undefined {
  const name = stringAt(input, 'name');
  if (name?.toLowerCase() === 'default')
    throw conflict('Default security group already exists.', 'SecurityGroupDefaultAlreadyExists');
  return name;
}

function ownGroup(cloud: NetworkCloud, caller: Caller, id: string, rule: string): SecurityGroup {
  const group = cloud.network.securityGroups.get(id);
  return requireOwned(caller, group, false, rule, () => notFoundErrors.security_group(id));
}

export function updateSecurityGroup(
  cloud: NetworkCloud,
  caller: Caller,
  id: string,
  input: JsonObject,
): SecurityGroup {
  const group = ownGroup(cloud, caller, id, 'update_security_group');
  const name = nameIn(input);
  if (group.name === 'default' && name !== undefined)
    throw conflict('Updating default security group not allowed.', 'SecurityGroupCannotUpdateDefault');
  group.name = name ?? group.name;
  group.description = stringAt(input, 'description') ?? group.description;
  touch(cloud, group);
  return group;
}

export function deleteSecurityGroup(cloud: NetworkCloud, caller: Caller, id: string): void {
  const group = ownGroup(cloud, caller, id, 'delete_security_group');
  let inUse = false;
  for (const port of cloud.network.ports.values()) inUse ||= port.security_groups.includes(id);
  if (inUse) throw conflict(`Security Group ${id} in use.`, 'SecurityGroupInUse');
  if (group.name === 'default' && !caller.isAdmin)
    throw conflict(
      'Insufficient rights for removing default security group.',
      'SecurityGroupCannotRemoveDefault',
    );
  for (const rule of cloud.network.rules.values())
    if (rule.security_group_id === id || rule.remote_group_id === id) cloud.network.rules.delete(rule.id);
  cloud.network.securityGroups.delete(id);
}

export function createRule(cloud: NetworkCloud, caller: Caller, input: JsonObject): SecurityGroupRule {
  const direction = requireString(input, 'direction');
  if (direction !== 'ingress' && direction !== 'egress')
    throw badRequest(
      `Invalid input for direction. Reason: ${direction} is not in valid_values.`,
      'HTTPBadRequest',
    );
  const group = ownGroup(
    cloud,
    caller,
    requireString(input, 'security_group_id'),
    'create_security_group_rule',
  );
  const requested = normalized(input, direction);
  const { remote_group_id: remoteId } = requested;
  if (remoteId !== null && !cloud.network.securityGroups.has(remoteId))
    throw notFoundErrors.security_group(remoteId);
  for (const rule of rulesOf(cloud, group.id))
    if (isSameRule(rule, requested))
      throw conflict(`Security group rule already exists. Rule id is ${rule.id}.`, 'SecurityGroupRuleExists');
  requireQuota(cloud.network, 'security_group_rule', group.project_id);
  return addRule(cloud, group, {
    ...requested,
    project_id: caller.projectId,
    description: stringAt(input, 'description') ?? '',
  });
}

type RuleFields = Pick<
  SecurityGroupRule,
  | 'direction'
  | 'ethertype'
  | 'protocol'
  | 'port_range_min'
  | 'port_range_max'
  | 'remote_ip_prefix'
  | 'remote_group_id'
>;

/** The service stores some rules in another form than requested. */
function normalized(input: JsonObject, direction: string): RuleFields {
  const ethertype = stringAt(input, 'ethertype') ?? 'IPv4';
  const protocol = stringAt(input, 'protocol') ?? null;
  const from = numberAt(input, 'port_range_min') ?? null;
  const to = numberAt(input, 'port_range_max') ?? null;
  checkPortRange(protocol, from, to);
  const isEveryPort = from === 1 && to === 65_535;
  return {
    direction,
    ethertype,
    protocol: protocol === 'icmp' && ethertype === 'IPv6' ? 'ipv6-icmp' : protocol,
    port_range_min: isEveryPort ? null : from,
    port_range_max: isEveryPort ? null : to,
    remote_ip_prefix: stringAt(input, 'remote_ip_prefix') ?? null,
    remote_group_id: stringAt(input, 'remote_group_id') ?? null,
  };
}

function isSameRule(rule: SecurityGroupRule, requested: RuleFields): boolean {
  const { remote_ip_prefix: prefix, ...fields } = requested;
  const isSame = Object.entries(fields).every(([key, value]) => rule[key as keyof typeof fields] === value);
  return isSame && remoteOf(rule.remote_ip_prefix) === remoteOf(prefix);
}

/** A prefix that matches every address is the same as none. */
function remoteOf(prefix: string | null): string | null {
  return prefix === '0.0.0.0/0' || prefix === '::/0' ? null : prefix;
}

function checkPortRange(protocol: string | null, from: number | null, to: number | null): void {
  if (from === null && to === null) return;
  if (protocol === null)
    throw badRequest(
      'Must also specify protocol if port range is given.',
      'SecurityGroupProtocolRequiredWithPorts',
    );
  if (protocol === 'icmp' && from === null)
    throw badRequest(
      `ICMP code (port-range-max) ${to} is provided but ICMP type (port-range-min) is missing.`,
      'SecurityGroupMissingIcmpType',
    );
  if ((protocol === 'tcp' || protocol === 'udp') && (from === null || to === null || from > to))
    throw badRequest(
      'For TCP/UDP protocols, port_range_min must be <= port_range_max',
      'SecurityGroupInvalidPortRange',
    );
}

export function deleteRule(cloud: NetworkCloud, caller: Caller, id: string): void {
  const found = cloud.network.rules.get(id);
  const rule = requireOwned(caller, found, false, 'delete_security_group_rule', () =>
    notFoundErrors.security_group_rule(id),
  );
  cloud.network.rules.delete(rule.id);
}
