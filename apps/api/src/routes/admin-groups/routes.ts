import { listOf } from '@gateway/core/shapes';
import { groupList, isForAll } from '@gateway/resources';
import { groupShape } from '@gateway/resources/shapes';

import { userShape } from '../../http/schemas/user.ts';
import { endpoint } from '../../pipeline/endpoint.ts';
import { adminTag } from '../admin-tag.ts';
import {
  addGroupUser,
  createGroup,
  deleteGroup,
  listGroups,
  listGroupUsers,
  removeGroupUser,
  updateGroup,
} from './handlers.ts';
import { createGroupBody, groupParams, groupsQuery, groupUserParams, updateGroupBody } from './schemas.ts';

export const adminGroupEndpoints = [
  endpoint({
    method: 'GET',
    path: '/api/admin/groups',
    tag: adminTag,
    summary: 'All groups of users of all domains',
    access: 'admin',
    cachedList: groupList,
    query: groupsQuery,
    bypassesCache: (query) => !isForAll(query),
    response: listOf(groupShape),
    handler: listGroups,
  }),
  endpoint({
    method: 'POST',
    path: '/api/admin/groups',
    tag: adminTag,
    summary: 'Create a group',
    access: 'admin',
    body: createGroupBody,
    writes: { resource: 'group', as: 'created' },
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
    writes: { resource: 'group', as: 'updated' },
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
    writes: { resource: 'group', as: 'deleted' },
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
    writes: [],
    handler: addGroupUser,
  }),
  endpoint({
    method: 'DELETE',
    path: '/api/admin/groups/:group_id/users/:user_id',
    tag: adminTag,
    summary: 'Remove a user from a group',
    description:
      "The user loses the roles of the group at once. Refused with 409 for the gateway's own user.",
    access: 'admin',
    params: groupUserParams,
    status: 204,
    writes: [],
    errors: ['conflict'],
    handler: removeGroupUser,
  }),
];
