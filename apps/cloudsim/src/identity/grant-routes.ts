import { notFound } from '../common/service-error.ts';
import { noContent, type Operation, operation, type Reply } from '../http/operation.ts';
import type { IdentityCall, IdentityCloud } from './cloud.ts';
import { collection, find, requireAdmin } from './policy.ts';
import { presentRole } from './present.ts';
import { rolesOn } from './roles.ts';
import { grantKey } from './state.ts';

/** The path determines whether the role is granted to a user or to a group. */
interface GrantTarget {
  projectId: string;
  holderId: string;
  roleId: string;
}

function targetOf(call: IdentityCall): GrantTarget {
  const { identity } = call.cloud;
  const { project, user, group, role } = call.params;
  const roleId = find(identity.roles, role, 'role').id;
  // The service keeps domains as projects, and takes their ids here.
  const { id: projectId } =
    identity.domains.get(project ?? '') ?? find(identity.projects, project, 'project');
  return { projectId, holderId: user ?? group ?? '', roleId };
}

function grant(call: IdentityCall): Reply {
  requireAdmin(call, 'create_grant');
  const { projectId, holderId, roleId } = targetOf(call);
  const { grants, groups, users } = call.cloud.identity;
  // A role is revoked also from one who is gone from the directory.
  if (call.params.user === undefined) find(groups, holderId, 'group');
  else find(users, holderId, 'user');
  const key = grantKey(projectId, holderId);
  grants.set(key, (grants.get(key) ?? new Set<string>()).add(roleId));
  return noContent();
}

function revoke(call: IdentityCall): Reply {
  requireAdmin(call, 'revoke_grant');
  const { projectId, holderId, roleId } = targetOf(call);
  if (!call.cloud.identity.grants.get(grantKey(projectId, holderId))?.delete(roleId))
    throw notFound(
      `Could not find role assignment with role: ${roleId}, user or group: ${holderId}, project, domain, or system: ${projectId}.`,
    );
  return noContent();
}

function listRoles(call: IdentityCall): Reply {
  requireAdmin(call, 'list_roles');
  const name = call.query.get('name');
  const roles = [...call.cloud.identity.roles.values()].filter((role) => name === null || role.name === name);
  return collection(
    call,
    'roles',
    roles.map((role) => presentRole(role, call.base)),
  );
}

function listAssignments(call: IdentityCall): Reply {
  const { query } = call;
  if (query.has('effective') && query.get('effective') !== 'false') return listEffective(call);
  const own = query.get('user.id') === call.caller.userId;
  if (!own) requireAdmin(call, 'list_role_assignments');
  const rows: object[] = [];
  for (const [key, roleIds] of call.cloud.identity.grants) {
    const [projectId = '', holderId = ''] = key.split(':');
    if (!requested(query, 'scope.project.id', projectId)) continue;
    const isUser = call.cloud.identity.users.has(holderId);
    if (!requested(query, isUser ? 'user.id' : 'group.id', holderId)) continue;
    if (query.has(isUser ? 'group.id' : 'user.id')) continue;
    for (const roleId of roleIds)
      if (requested(query, 'role.id', roleId))
        rows.push(assignment(call, { projectId, holderId, roleId }, isUser));
  }
  return collection(call, 'role_assignments', rows);
}

/** With `effective`: the roles of each user, including those from groups and implied roles. */
function listEffective(call: IdentityCall): Reply {
  const { query, cloud } = call;
  requireAdmin(call, 'list_role_assignments');
  const { identity } = cloud;
  const rows: object[] = [];
  const ancestorId = query.has('include_subtree') ? query.get('scope.project.id') : null;
  for (const { domainId, id: projectId } of identity.projects.values()) {
    // A domain is the parent of its projects.
    if (domainId !== ancestorId && !requested(query, 'scope.project.id', projectId)) continue;
    for (const userId of identity.users.keys()) {
      if (!requested(query, 'user.id', userId)) continue;
      for (const role of rolesOn(identity, projectId, userId))
        if (requested(query, 'role.id', role.id))
          rows.push(assignment(call, { projectId, holderId: userId, roleId: role.id }, true));
    }
  }
  return collection(call, 'role_assignments', rows);
}

function requested(query: URLSearchParams, key: string, value: string): boolean {
  return !query.has(key) || query.get(key) === value;
}

function assignment(
  call: IdentityCall,
  { projectId, holderId, roleId }: GrantTarget,
  isUser: boolean,
): object {
  const { identity } = call.cloud;
  const kind = isUser ? 'user' : 'group';
  const named = call.query.has('include_names') && call.query.get('include_names') !== 'false';
  const nameOf = (records: Map<string, { name: string }>, id: string) =>
    named ? { name: records.get(id)?.name } : {};
  const namesOf = (records: Map<string, { name: string; domainId: string }>, id: string) => {
    const domainId = records.get(id)?.domainId ?? '';
    const domain = { id: domainId, ...nameOf(identity.domains, domainId) };
    return { ...nameOf(records, id), ...(named && { domain }) };
  };
  const path = `projects/${projectId}/${kind}s/${holderId}/roles/${roleId}`;
  return {
    links: { assignment: `${call.base}/${path}` },
    scope: { project: { id: projectId, ...namesOf(identity.projects, projectId) } },
    [kind]: { id: holderId, ...namesOf(isUser ? identity.users : identity.groups, holderId) },
    role: { id: roleId, ...nameOf(identity.roles, roleId) },
  };
}

export const grantOperations: Operation<IdentityCloud>[] = [
  operation('roles.list', 'GET /roles', listRoles),
  operation('role_assignments.list', 'GET /role_assignments', listAssignments),
  operation('role_assignments.create', 'PUT /projects/:project/users/:user/roles/:role', grant),
  operation('role_assignments.delete', 'DELETE /projects/:project/users/:user/roles/:role', revoke),
  operation('role_assignments.create', 'PUT /projects/:project/groups/:group/roles/:role', grant),
  operation('role_assignments.delete', 'DELETE /projects/:project/groups/:group/roles/:role', revoke),
];
