import { conflict } from '@gateway/core';
import type { RoleGrant } from '@gateway/openstack';
import type { RequestContext } from '../../pipeline/request-context.ts';
import { hasServiceUser, isServiceProject } from '../../resources/configured.ts';
import { changingAccessOf } from '../../resources/invalidate-users.ts';
import type { GroupRole, UserRole } from './schemas.ts';

export async function assignRole(request: RequestContext<unknown, unknown, UserRole>) {
  const grant = grantOf(request.body);
  await changeGrant(request, grant, () => request.openstack.identity.roles.grant(grant));
  return { status: 'assigned' as const };
}

export async function revokeRole(request: RequestContext<unknown, UserRole>) {
  const grant = grantOf(request.query);
  await requireDispensableGrant(request, grant);
  await changeGrant(request, grant, () => request.openstack.identity.roles.revoke(grant));
  return { status: 'revoked' as const };
}

export async function assignGroupRole(request: RequestContext<unknown, unknown, GroupRole>) {
  const grant = grantOf(request.body);
  await changeGrant(request, grant, () => request.openstack.identity.roles.grant(grant));
  return { status: 'assigned' as const };
}

export async function revokeGroupRole(request: RequestContext<unknown, GroupRole>) {
  const grant = grantOf(request.query);
  await requireDispensableGrant(request, grant);
  await changeGrant(request, grant, () => request.openstack.identity.roles.revoke(grant));
  return { status: 'revoked' as const };
}

function grantOf(role: UserRole | GroupRole): RoleGrant {
  const where = { projectId: role.project_id, roleId: role.role_id };
  return 'user_id' in role
    ? { ...where, holder: 'user', holderId: role.user_id }
    : { ...where, holder: 'group', holderId: role.group_id };
}

/** Invalidates the user, or the members of the group. */
async function changeGrant(
  request: RequestContext,
  { holder, holderId }: RoleGrant,
  write: () => Promise<void>,
): Promise<void> {
  const userIds =
    holder === 'user'
      ? [holderId]
      : (await request.openstack.identity.groups.listUsers(holderId)).map(({ id }) => id);
  await changingAccessOf(request, userIds, write);
}

/** @throws 409 for a role that the gateway's own user has in their project, also as a member of a group */
async function requireDispensableGrant(
  request: RequestContext<unknown, unknown>,
  { holder, holderId, projectId }: RoleGrant,
): Promise<void> {
  if (!(await isServiceProject(request, projectId))) return;
  const { groups, users } = request.openstack.identity;
  const read = async () => (holder === 'user' ? [await users.get(holderId)] : groups.listUsers(holderId));
  if (!(await hasServiceUser(request, read))) return;
  throw conflict(
    'protected',
    "The role cannot be revoked: the user that the gateway's configuration names (service_user.username) works with it.",
  );
}
