import { type Federation, grantKey, type IdentityState, type Role } from './state.ts';

/** The roles that each role implies. */
const IMPLIED: Record<string, string[]> = { admin: ['member', 'reader'], member: ['reader'] };

/**
 * The roles of a user on a project: granted directly, granted through groups, and implied. A token of single
 * sign-on names groups of its own.
 */
export function rolesOn(
  identity: IdentityState,
  projectId: string,
  userId: string,
  { groupIds }: Pick<Federation, 'groupIds'> = { groupIds: [] },
): Role[] {
  const granted = new Set(identity.grants.get(grantKey(projectId, userId)));
  for (const group of identity.groups.values()) {
    if (!group.userIds.has(userId) && !groupIds.includes(group.id)) continue;
    for (const roleId of identity.grants.get(grantKey(projectId, group.id)) ?? []) granted.add(roleId);
  }
  return withImplied(identity, [...granted]);
}

/** The roles in the whole system. Only a cloud's first administrator gets them, at its bootstrap. */
export function systemRolesOf(identity: IdentityState, userId: string): Role[] {
  const bootstrap = [...identity.projects.values()].find(({ name }) => name === 'admin');
  const held = bootstrap === undefined ? [] : rolesOn(identity, bootstrap.id, userId);
  return held.some(({ name }) => name === 'admin') ? held : [];
}

export function withImplied(identity: IdentityState, roleIds: string[]): Role[] {
  const result = new Map<string, Role>();
  for (const id of roleIds) {
    const role = identity.roles.get(id);
    if (role === undefined) continue;
    result.set(id, role);
    for (const name of IMPLIED[role.name] ?? []) {
      const implied = roleNamed(identity, name);
      if (implied !== undefined) result.set(implied.id, implied);
    }
  }
  return [...result.values()];
}

export function roleNamed(identity: IdentityState, name: string): Role | undefined {
  for (const role of identity.roles.values()) if (role.name === name) return role;
  return undefined;
}
