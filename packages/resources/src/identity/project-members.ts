import type { RoleAssignmentRecord } from '@gateway/openstack';
import type { ProjectMember } from './project-member-shape.ts';

/** The roles in the project itself. Users come first; both are sorted by name. */
export function presentProjectMembers(assignments: readonly RoleAssignmentRecord[]): ProjectMember[] {
  return assignments
    .filter(({ scope }) => scope['OS-INHERIT:inherited_to'] === null)
    .map(presentProjectMember)
    .toSorted(
      (a, b) =>
        b.type.localeCompare(a.type) ||
        a.user_name.localeCompare(b.user_name) ||
        a.user_id.localeCompare(b.user_id) ||
        a.role_name.localeCompare(b.role_name),
    );
}

/** Users and groups of external directories may have no name. */
function presentProjectMember({ role, user, group }: RoleAssignmentRecord): ProjectMember {
  const roleOf = { role_id: role.id, role_name: role.name };
  if (group === null) {
    return { user_id: user?.id ?? '', user_name: user?.name ?? '', ...roleOf, type: 'user' };
  }
  const label = `Group: ${group.name || group.id}`;
  return { user_id: `group:${group.id}`, user_name: label, ...roleOf, type: 'group', group_id: group.id };
}
