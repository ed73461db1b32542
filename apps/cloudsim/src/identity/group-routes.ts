import { newHexId } from '../common/ids.ts';
import { envelope, stringAt } from '../common/json.ts';
import { badRequest, conflict, notFound } from '../common/service-error.ts';
import { created, noContent, type Operation, ok, operation, type Reply } from '../http/operation.ts';
import type { IdentityCall, IdentityCloud } from './cloud.ts';
import { isNameListed, isSameName } from './names.ts';
import { listedDomain, pagedCollection } from './pages.ts';
import { collection, find, requireAdmin, requireDomain } from './policy.ts';
import { presentGroup, presentUser } from './present.ts';
import type { Group } from './state.ts';

function input(call: IdentityCall) {
  return envelope(call.body, 'group', () => badRequest("'group' is a required property"));
}

function target(call: IdentityCall): Group {
  return find(call.cloud.identity.groups, call.params.id, 'group');
}

function hasName(
  { cloud }: IdentityCall,
  { domainId, id, name }: Pick<Group, 'name' | 'domainId'> & { id?: string },
): boolean {
  const groups = [...cloud.identity.groups.values()];
  return groups.some(
    (group) => group.id !== id && group.domainId === domainId && isSameName(group.name, name),
  );
}

function listGroups(call: IdentityCall): Reply {
  requireAdmin(call, 'list_groups');
  const domainId = listedDomain(call);
  const groups = [...call.cloud.identity.groups.values()].filter(
    ({ domainId: id, name }) => isNameListed(call.query, name) && (domainId === null || id === domainId),
  );
  return pagedCollection(call, 'groups', groups, (group) => presentGroup(group, call.base));
}

function getGroup(call: IdentityCall): Reply {
  requireAdmin(call, 'get_group');
  return ok({ group: presentGroup(target(call), call.base) });
}

function createGroup(call: IdentityCall): Reply {
  requireAdmin(call, 'create_group');
  const fields = input(call);
  const name = stringAt(fields, 'name');
  if (name === undefined) throw badRequest("'name' is a required property");
  const domainId = stringAt(fields, 'domain_id') ?? 'default';
  requireDomain(call, domainId);
  if (hasName(call, { name, domainId }))
    throw conflict(
      `Conflict occurred attempting to store group - Duplicate entry found with name ${name} at domain ID ${domainId}.`,
    );
  const group: Group = {
    id: newHexId(),
    name,
    description: stringAt(fields, 'description') ?? '',
    domainId,
    userIds: new Set(),
  };
  call.cloud.identity.groups.set(group.id, group);
  return created({ group: presentGroup(group, call.base) });
}

function updateGroup(call: IdentityCall): Reply {
  requireAdmin(call, 'update_group');
  const group = target(call);
  const fields = input(call);
  const name = stringAt(fields, 'name');
  if (name !== undefined && hasName(call, { ...group, name }))
    throw conflict(`Conflict occurred attempting to store group - Duplicate entry found with name ${name}.`);
  group.name = name ?? group.name;
  group.description = stringAt(fields, 'description') ?? group.description;
  return ok({ group: presentGroup(group, call.base) });
}

function deleteGroup(call: IdentityCall): Reply {
  requireAdmin(call, 'delete_group');
  const { groups, grants } = call.cloud.identity;
  const group = target(call);
  groups.delete(group.id);
  for (const [key] of grants) if (key.endsWith(`:${group.id}`)) grants.delete(key);
  return noContent();
}

function listMembers(call: IdentityCall): Reply {
  requireAdmin(call, 'list_users_in_group');
  const members = [...target(call).userIds].flatMap((id) => call.cloud.identity.users.get(id) ?? []);
  return collection(
    call,
    'users',
    members.map((user) => presentUser(user, call.base)),
  );
}

function addMember(call: IdentityCall): Reply {
  requireAdmin(call, 'add_user_to_group');
  target(call).userIds.add(find(call.cloud.identity.users, call.params.user, 'user').id);
  return noContent();
}

function removeMember(call: IdentityCall): Reply {
  requireAdmin(call, 'remove_user_from_group');
  const user = find(call.cloud.identity.users, call.params.user, 'user');
  if (!target(call).userIds.delete(user.id))
    throw notFound(`User '${user.id}' not found in group '${call.params.id}'`);
  return noContent();
}

export const groupOperations: Operation<IdentityCloud>[] = [
  operation('groups.list', 'GET /groups', listGroups),
  operation('groups.create', 'POST /groups', createGroup),
  operation('groups.get', 'GET /groups/:id', getGroup),
  operation('groups.update', 'PATCH /groups/:id', updateGroup),
  operation('groups.delete', 'DELETE /groups/:id', deleteGroup),
  operation('groups.list_users', 'GET /groups/:id/users', listMembers),
  operation('groups.add_user', 'PUT /groups/:id/users/:user', addMember),
  operation('groups.remove_user', 'DELETE /groups/:id/users/:user', removeMember),
];
