import { groupList } from '@gateway/views';
import { listOf } from '../../http/schemas/fields.ts';
import { userShape } from '../../http/schemas/user.ts';
import { servesList } from '../../pipeline/cached-list.ts';
import { endpoint } from '../../pipeline/endpoint.ts';
import { adminTag } from '../admin-tag.ts';
import {
  addGroupUser,
  createGroup,
  deleteGroup,
  listGroupUsers,
  removeGroupUser,
  updateGroup,
} from './handlers.ts';
import { createGroupBody, groupParams, groupShape, groupUserParams, updateGroupBody } from './schemas.ts';

export const adminGroupEndpoints = [
  endpoint({
    method: 'GET',
    path: '/api/admin/groups',
    tag: adminTag,
    summary: 'All groups of users',
    access: 'admin',
    response: listOf(groupShape),
    ...servesList(groupList),
  }),
  endpoint({
    method: 'POST',
    path: '/api/admin/groups',
    tag: adminTag,
    summary: 'Create a group',
    access: 'admin',
    body: createGroupBody,
    changes: ['group'],
    status: 201,
    response: groupShape,
    errors: ['conflict', 'quota_exceeded'],
    handler: createGroup,
  }),
  endpoint({
    method: 'PATCH',
    path: '/api/admin/groups/:group_id',
    tag: adminTag,
    summary: 'Change a group',
    access: 'admin',
    params: groupParams,
    body: updateGroupBody,
    changes: ['group'],
    response: groupShape,
    errors: ['conflict'],
    handler: updateGroup,
  }),
  endpoint({
    method: 'DELETE',
    path: '/api/admin/groups/:group_id',
    tag: adminTag,
    summary: 'Delete a group',
    description: 'Its members lose the roles of the group at once.',
    access: 'admin',
    params: groupParams,
    changes: ['group'],
    status: 204,
    errors: ['conflict'],
    handler: deleteGroup,
  }),
  endpoint({
    method: 'GET',
    path: '/api/admin/groups/:group_id/users',
    tag: adminTag,
    summary: 'The members of a group',
    access: 'admin',
    params: groupParams,
    response: listOf(userShape),
    handler: listGroupUsers,
  }),
  endpoint({
    method: 'PUT',
    path: '/api/admin/groups/:group_id/users/:user_id',
    tag: adminTag,
    summary: 'Add a user to a group',
    access: 'admin',
    params: groupUserParams,
    status: 204,
    changes: [],
    handler: addGroupUser,
  }),
  endpoint({
    method: 'DELETE',
    path: '/api/admin/groups/:group_id/users/:user_id',
    tag: adminTag,
    summary: 'Remove a user from a group',
    description: 'The user loses the roles of the group at once.',
    access: 'admin',
    params: groupUserParams,
    status: 204,
    changes: [],
    handler: removeGroupUser,
  }),
];
