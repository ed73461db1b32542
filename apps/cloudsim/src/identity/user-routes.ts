import { envelope } from '../common/json.ts';
import { badRequest } from '../common/service-error.ts';
import { created, noContent, type Operation, ok, operation, type Reply } from '../http/operation.ts';
import type { IdentityCall, IdentityCloud } from './cloud.ts';
import { isNameListed } from './names.ts';
import { listedDomain, pagedCollection } from './pages.ts';
import { collection, denied, find, requireAdmin } from './policy.ts';
import { presentGroup, presentProject, presentUser } from './present.ts';
import { rolesOn } from './roles.ts';
import { unauthenticated } from './sign-in.ts';
import type { User } from './state.ts';
import { changePassword, createUser, deleteUser, updateUser } from './users.ts';

function input(call: IdentityCall) {
  return envelope(call.body, 'user', () => badRequest("'user' is a required property"));
}

function target(call: IdentityCall): User {
  return find(call.cloud.identity.users, call.params.id, 'user');
}

/** Users can read their own record. Everything else requires an administrator. */
function selfOrAdmin(call: IdentityCall, action: string): User {
  if (call.params.id !== call.caller.userId && !call.caller.isAdmin) throw denied(action);
  return target(call);
}

function listUsers(call: IdentityCall): Reply {
  requireAdmin(call, 'list_users');
  const enabled = call.query.get('enabled');
  const domainId = listedDomain(call);
  const users = [...call.cloud.identity.users.values()].filter(
    (user) =>
      isNameListed(call.query, user.name) &&
      (domainId === null || user.domainId === domainId) &&
      (enabled === null || String(user.enabled) === enabled.toLowerCase()),
  );
  return pagedCollection(call, 'users', users, (user) => presentUser(user, call.base));
}

function getUser(call: IdentityCall): Reply {
  return ok({ user: presentUser(selfOrAdmin(call, 'get_user'), call.base) });
}

function createOne(call: IdentityCall): Reply {
  requireAdmin(call, 'create_user');
  return created({ user: presentUser(createUser(call.cloud, input(call)), call.base) });
}

function updateOne(call: IdentityCall): Reply {
  requireAdmin(call, 'update_user');
  const user = target(call);
  updateUser(call.cloud, user, input(call));
  return ok({ user: presentUser(user, call.base) });
}

function deleteOne(call: IdentityCall): Reply {
  requireAdmin(call, 'delete_user');
  deleteUser(call.cloud, target(call));
  return noContent();
}

/** Requires no token: the old password authenticates the user. */
function changeOwnPassword(call: IdentityCall): Reply {
  const user = call.cloud.identity.users.get(call.params.id ?? '');
  const fields = input(call);
  if (!user?.enabled) throw unauthenticated();
  changePassword(call.cloud, user, fields);
  return noContent();
}

function listProjectsOf(call: IdentityCall): Reply {
  const user = selfOrAdmin(call, 'list_user_projects');
  const { identity } = call.cloud;
  const projects = [...identity.projects.values()].filter(
    (project) => rolesOn(identity, project.id, user.id).length > 0,
  );
  return collection(
    call,
    'projects',
    projects.map((project) => presentProject(project, call.base)),
  );
}

function listGroupsOf(call: IdentityCall): Reply {
  const user = selfOrAdmin(call, 'list_groups_for_user');
  const groups = [...call.cloud.identity.groups.values()].filter((group) => group.userIds.has(user.id));
  return collection(
    call,
    'groups',
    groups.map((group) => presentGroup(group, call.base)),
  );
}

export const userOperations: Operation<IdentityCloud>[] = [
  operation('users.list', 'GET /users', listUsers),
  operation('users.create', 'POST /users', createOne),
  operation('users.get', 'GET /users/:id', getUser),
  operation('users.update', 'PATCH /users/:id', updateOne),
  operation('users.delete', 'DELETE /users/:id', deleteOne),
  operation('users.change_password', 'POST /users/:id/password', changeOwnPassword, { isPublic: true }),
  operation('users.list_projects', 'GET /users/:id/projects', listProjectsOf),
  operation('users.list_groups', 'GET /users/:id/groups', listGroupsOf),
];
