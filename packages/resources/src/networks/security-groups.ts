import { ownerInDescription } from '@gateway/core';
import type { SecurityGroupRecord, SecurityGroupRuleRecord } from '@gateway/openstack';
import { CachedList } from '../lists/cached-list.ts';
import { addNames, knownNames, namesFrom } from '../lists/names.ts';
import type { NewSecurityGroupRule, SecurityGroup, SecurityGroupRule } from './security-group-shape.ts';

function presentRule(rule: SecurityGroupRuleRecord): SecurityGroupRule {
  return {
    id: rule.id,
    direction: rule.direction,
    protocol: rule.protocol,
    port_range_min: rule.port_range_min,
    port_range_max: rule.port_range_max,
    remote_ip_prefix: rule.remote_ip_prefix,
    remote_group_id: rule.remote_group_id,
    remote_group_name: null,
    remote_address_group_id: rule.remote_address_group_id,
    ethertype: rule.ethertype,
  };
}

export function presentNewRule(rule: SecurityGroupRuleRecord): NewSecurityGroupRule {
  return { ...presentRule(rule), security_group_id: rule.security_group_id, security_group_name: null };
}

/** The network service sends the rules in a varying order. */
function inOrder(rules: readonly SecurityGroupRuleRecord[]): SecurityGroupRuleRecord[] {
  const key = ({ direction, ethertype, protocol }: SecurityGroupRuleRecord) =>
    `${direction} ${ethertype} ${protocol ?? ''}`;
  return rules.toSorted(
    (a, b) =>
      key(a).localeCompare(key(b)) ||
      (a.port_range_min ?? 0) - (b.port_range_min ?? 0) ||
      a.id.localeCompare(b.id),
  );
}

/** The mark of a job means nothing to people. Only lite clusters have groups with one. */
function descriptionOf({ description }: SecurityGroupRecord): string {
  return ownerInDescription(description).jobId === null
    ? (description ?? '')
    : 'Made for the nodes of a lite cluster.';
}

export function presentSecurityGroup(group: SecurityGroupRecord): SecurityGroup {
  return {
    id: group.id,
    name: group.name,
    description: descriptionOf(group),
    rules: inOrder(group.security_group_rules).map(presentRule),
  };
}

/**
 * The project's own groups, without groups that other projects share with it. One call returns
 * them with their rules.
 */
export const securityGroupList = new CachedList<SecurityGroup[]>({
  name: 'securityGroups',
  varyBy: 'project',
  dependsOn: ['security_group'],
  lifetime: 'securityGroupsSeconds',
  async load(sources) {
    const { openstack, reader } = sources;
    const groups = await openstack.network.securityGroups.list({ project_id: reader.projectId });
    const rows = groups
      .toSorted((a, b) => rank(a) - rank(b) || a.name.localeCompare(b.name) || a.id.localeCompare(b.id))
      .map(presentSecurityGroup);
    const rules = rows.flatMap((group) => group.rules);
    await addNames(sources, rules, { remote_group_id: knownNames(groups) });
    return rows;
  },
});

/** The default group comes first, because new ports have it. */
function rank({ name }: SecurityGroupRecord): number {
  return name === 'default' ? 0 : 1;
}

export const securityGroupNames = namesFrom(securityGroupList);
