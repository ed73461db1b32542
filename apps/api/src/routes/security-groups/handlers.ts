import { conflict, notFound } from '@gateway/core';
import type { SecurityGroupRecord } from '@gateway/openstack';
import {
  addNames,
  knownNames,
  presentNewRule,
  presentSecurityGroup,
  type SecurityGroup,
  securityGroupNames,
  withNames,
} from '@gateway/resources';
import { isEmpty } from '../../http/schemas/is-empty.ts';
import { sourcesOf } from '../../pipeline/cached-list.ts';
import type { RequestContext } from '../../pipeline/request-context.ts';
import { inUseConflict, isRefusedAsInUse, nameUsersOf } from '../../resources/in-use.ts';
import { checkRule } from './check-rule.ts';
import { getOwnGroup, getUsableGroup } from './own-group.ts';
import type { CreateRuleBody, CreateSecurityGroupBody, UpdateSecurityGroupBody } from './schemas.ts';

type GroupParams = { sg_id: string };

export async function createSecurityGroup(
  request: RequestContext<unknown, unknown, CreateSecurityGroupBody>,
) {
  const { name, description = '' } = request.body;
  return present(request, await request.openstack.network.securityGroups.create({ name, description }));
}

export async function updateSecurityGroup(
  request: RequestContext<GroupParams, unknown, UpdateSecurityGroupBody>,
) {
  const { body, openstack, params } = request;
  const group = await getOwnGroup(request, params.sg_id);
  if (isEmpty(body)) return present(request, group);
  return present(request, await openstack.network.securityGroups.update(group.id, body));
}

/** The cached list of names may have the group under its former name. */
async function present(request: RequestContext, record: SecurityGroupRecord): Promise<SecurityGroup> {
  const sources = sourcesOf(request);
  const group = presentSecurityGroup(record);
  const [own, others] = [true, false].map((isOwn) =>
    group.rules.filter(({ remote_group_id }) => (remote_group_id === group.id) === isOwn),
  );
  await Promise.all([
    addNames(sources, own ?? [], { remote_group_id: knownNames([group]) }),
    addNames(sources, others ?? [], { remote_group_id: securityGroupNames }),
  ]);
  return group;
}

/**
 * The service lets administrators delete a default group, and creates a new one with other rules at the next
 * request.
 */
export async function deleteSecurityGroup(request: RequestContext<GroupParams>): Promise<void> {
  const { ports, securityGroups } = request.openstack.network;
  const group = await getOwnGroup(request, request.params.sg_id);
  if (group.name === 'default')
    throw conflict('protected', 'The default security group of a project cannot be deleted.');
  try {
    await securityGroups.remove(group.id);
  } catch (error) {
    if (!isRefusedAsInUse(error)) throw error;
    // The filter by group is an extension: a service without it refuses or ignores it.
    const own = await ports.list({ project_id: request.caller.identity.projectId });
    const using = own.filter((port) => port.security_groups.includes(group.id));
    throw inUseConflict('The security group cannot be deleted', await nameUsersOf(request, using), error);
  }
}

export async function createRule(request: RequestContext<GroupParams, unknown, CreateRuleBody>) {
  const { body, openstack, params } = request;
  checkRule(body);
  const group = await getOwnGroup(request, params.sg_id);
  const { remote_group_id: remoteId } = body;
  if (remoteId !== undefined && remoteId !== group.id) await getUsableGroup(request, remoteId);
  const rule = { ...body, security_group_id: group.id };
  const created = presentNewRule(await openstack.network.securityGroupRules.create(rule));
  return {
    ...(await withNames(sourcesOf(request), created, { remote_group_id: securityGroupNames })),
    security_group_name: group.name,
  };
}

export async function deleteRule(request: RequestContext<GroupParams & { rule_id: string }>): Promise<void> {
  const { openstack, params } = request;
  const group = await getOwnGroup(request, params.sg_id);
  const rule = group.security_group_rules.find(({ id }) => id === params.rule_id);
  if (rule === undefined) throw notFound('There is no such rule in this security group.');
  await openstack.network.securityGroupRules.remove(rule.id);
}
