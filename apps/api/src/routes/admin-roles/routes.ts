import { listOf, oneOf, shape } from '@gateway/core/shapes';
import { roleList } from '@gateway/resources';
import { roleShape } from '@gateway/resources/shapes';

import { servesList } from '../../pipeline/cached-list.ts';
import { endpoint } from '../../pipeline/endpoint.ts';
import { adminTags } from '../admin-tags.ts';
import { assignGroupRole, assignRole, revokeGroupRole, revokeRole } from './handlers.ts';
import type { GroupRole, UserRole } from './schemas.ts';
import { groupRoleFields, userRoleFields } from './schemas.ts';

const assignedShape = shape('RoleAssigned', {
  status: oneOf(['assigned']),
});

const revokedShape = shape('RoleRevoked', {
  status: oneOf(['revoked']),
});

type Assignment = Pick<UserRole, 'project_id' | 'role_id'> & Partial<UserRole & GroupRole>;

/** Who gets or loses which role, and where. */
function named<Where extends 'body' | 'query'>(where: Where, holder: 'user' | 'group') {
  const id = (field: keyof Assignment) => (_: unknown, input: Record<Where, Assignment>) =>
    input[where][field] ?? null;
  return [
    { resource: holder, as: 'named', id: id(`${holder}_id`) },
    { resource: 'project', as: 'named', id: id('project_id') },
    { resource: 'role', as: 'named', id: id('role_id') },
  ] as const;
}

export const adminRoleEndpoints = [
  endpoint({
    method: 'GET',
    path: '/api/admin/roles',
    tag: adminTags.users,
    summary: 'All roles that can be assigned',
    access: 'admin',
    response: listOf(roleShape),
    ...servesList(roleList),
  }),
  endpoint({
    method: 'POST',
    path: '/api/admin/roles/assign',
    tag: adminTags.users,
    summary: 'Assign a role in a project to a user',
    description: 'A role that the user already has is no error.',
    access: 'admin',
    body: userRoleFields.required(),
    response: assignedShape,
    writes: named('body', 'user'),
    errors: ['not_found', 'conflict'],
    handler: assignRole,
  }),
  endpoint({
    method: 'DELETE',
    path: '/api/admin/roles/assign',
    tag: adminTags.users,
    summary: 'Revoke a role in a project from a user',
    description: 'The user loses the role at once.',
    access: 'admin',
    query: userRoleFields,
    response: revokedShape,
    writes: named('query', 'user'),
    errors: ['not_found', 'conflict'],
    handler: revokeRole,
  }),
  endpoint({
    method: 'POST',
    path: '/api/admin/roles/assign-group',
    tag: adminTags.users,
    summary: 'Assign a role in a project to a group',
    description: 'A role that the group already has is no error.',
    access: 'admin',
    body: groupRoleFields.required(),
    response: assignedShape,
    writes: named('body', 'group'),
    errors: ['not_found', 'conflict'],
    handler: assignGroupRole,
  }),
  endpoint({
    method: 'DELETE',
    path: '/api/admin/roles/assign-group',
    tag: adminTags.users,
    summary: 'Revoke a role in a project from a group',
    description: 'The members of the group lose the role at once, unless they also have it otherwise.',
    access: 'admin',
    query: groupRoleFields,
    response: revokedShape,
    writes: named('query', 'group'),
    errors: ['not_found', 'conflict'],
    handler: revokeGroupRole,
  }),
];
