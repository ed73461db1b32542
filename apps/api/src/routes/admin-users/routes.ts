import { userShape } from '@gateway/resources/shapes';
import { endpoint } from '../../pipeline/endpoint.ts';
import { adminTags } from '../admin-tags.ts';
import { createUser, deleteUser, listUsers, updateUser } from './handlers.ts';
import { createUserBody, updateUserBody, userPages, userParams } from './schemas.ts';

export const adminUserEndpoints = [
  endpoint({
    method: 'GET',
    path: '/api/admin/users',
    tag: adminTags.users,
    summary: 'All users of all domains, by name',
    access: 'admin',
    query: userPages.query,
    response: userPages.shape,
    handler: listUsers,
  }),
  endpoint({
    method: 'POST',
    path: '/api/admin/users',
    tag: adminTags.users,
    summary: 'Create a user',
    access: 'admin',
    body: createUserBody,
    writes: { resource: 'user', as: 'created' },
    status: 201,
    response: userShape,
    errors: ['conflict', 'quota_exceeded'],
    handler: createUser,
  }),
  endpoint({
    method: 'PATCH',
    path: '/api/admin/users/:user_id',
    tag: adminTags.users,
    summary: 'Change a user',
    description:
      'A new password, and `enabled` false, end the sessions of the user. Their tokens stop working at once. Callers cannot disable ' +
      'their own account.',
    access: 'admin',
    params: userParams,
    body: updateUserBody,
    writes: { resource: 'user', as: 'updated' },
    response: userShape,
    errors: ['conflict'],
    handler: updateUser,
  }),
  endpoint({
    method: 'DELETE',
    path: '/api/admin/users/:user_id',
    tag: adminTags.users,
    summary: 'Delete a user',
    description:
      "Refused for the caller's own account. Ends the sessions of the user. Their tokens stop working at once.",
    access: 'admin',
    params: userParams,
    writes: { resource: 'user', as: 'deleted' },
    status: 204,
    errors: ['conflict'],
    handler: deleteUser,
  }),
];
