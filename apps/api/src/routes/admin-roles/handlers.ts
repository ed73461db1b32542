import { conflict } from '@gateway/core';
import { nullIfNotFound, type ProjectRecord, type RoleGrant, type UserRecord } from '@gateway/openstack';
import type { RequestContext } from '../../pipeline/request-context.ts';
import { hasServiceUser, isServiceProject } from '../../resources/configured.ts';
import { changingAccessOf } from '../../resources/invalidate-users.ts';
import type { GroupRole, UserRole } from './schemas.ts';

export function assignRole(request: RequestContext<unknown, unknown, UserRole>) {
  return assign(request, grantOf(request.body));
}

export function revokeRole(request: RequestContext<unknown, UserRole>) {
  return revoke(request, grantOf(request.query));
}

export function assignGroupRole(request: RequestContext<unknown, unknown, GroupRole>) {
  return assign(request, grantOf(request.body));
}

export function revokeGroupRole(request: RequestContext<unknown, GroupRole>) {
  return revoke(request, grantOf(request.query));
}

async function assign(request: RequestContext, grant: RoleGrant) {
  const { projects, roles } = request.openstack.identity;
  await projects.get(grant.projectId);
  await changeGrant(request, grant, () => roles.grant(grant));
  return { status: 'assigned' as const };
}

async function revoke(request: RequestContext, grant: RoleGrant) {
  const { projects, roles } = request.openstack.identity;
  const project = await projects.get(grant.projectId);
  await requireDispensableGrant(request, grant, project);
  await changeGrant(request, grant, () => roles.revoke(grant));
  return { status: 'revoked' as const };
}

function grantOf(role: UserRole | GroupRole): RoleGrant {
  const where = { projectId: role.project_id, roleId: role.role_id };
  return 'user_id' in role
    ? { ...where, holder: 'user', holderId: role.user_id }
    : { ...where, holder: 'group', holderId: role.group_id };
}

/**
 * Invalidates the user, or the members of the group. One that is gone from its directory (LDAP) still has its
 * roles: the service lets them be revoked, and itself refuses to assign others.
 */
async function changeGrant(
  request: RequestContext,
  { holder, holderId }: RoleGrant,
  write: () => Promise<void>,
): Promise<void> {
  const userIds = holder === 'user' ? [holderId] : (await membersOf(request, holderId)).map(({ id }) => id);
  await changingAccessOf(request, userIds, write);
}

/** @throws 409 for a role that the gateway's own user has in their project, also as a member of a group */
async function requireDispensableGrant(
  request: RequestContext,
  { holder, holderId }: RoleGrant,
  project: ProjectRecord,
): Promise<void> {
  if (!(await isServiceProject(request, project.id, project))) return;
  const { users } = request.openstack.identity;
  const read = async () => {
    if (holder === 'group') return membersOf(request, holderId);
    const user = await nullIfNotFound(users.get(holderId));
    return user === null ? [] : [user];
  };
  if (!(await hasServiceUser(request, read))) return;
  throw conflict(
    'protected',
    "The role cannot be revoked: the user that the gateway's configuration names (service_user.username) works with it.",
  );
}

/** None of a group that is gone. */
async function membersOf({ openstack }: RequestContext, groupId: string): Promise<UserRecord[]> {
  return (await nullIfNotFound(openstack.identity.groups.listUsers(groupId))) ?? [];
}
