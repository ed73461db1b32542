import { listOf } from '@gateway/core/shapes';
import { serverGroupShape } from '@gateway/resources/shapes';
import { pathIds } from '../../http/schemas/fields.ts';
import { endpoint } from '../../pipeline/endpoint.ts';
import { createServerGroup, deleteServerGroup, listServerGroups } from './handlers.ts';
import { createServerGroupBody } from './schemas.ts';

const tag = { name: 'server-groups', description: 'On which hosts instances run, relative to each other' };

export const serverGroupEndpoints = [
  endpoint({
    method: 'GET',
    path: '/api/server-groups',
    tag,
    summary: "The project's server groups",
    access: 'project',
    response: listOf(serverGroupShape),
    handler: listServerGroups,
  }),
  endpoint({
    method: 'POST',
    path: '/api/server-groups',
    tag,
    summary: 'Create a server group',
    access: 'project',
    body: createServerGroupBody,
    writes: { resource: 'server_group', as: 'created' },
    status: 201,
    response: serverGroupShape,
    example: () => ({ instance_ids: [], instance_names: [] }),
    errors: ['quota_exceeded'],
    handler: createServerGroup,
  }),
  endpoint({
    method: 'DELETE',
    path: '/api/server-groups/:server_group_id',
    tag,
    summary: 'Delete a server group',
    description: 'Its instances stay where they are.',
    access: 'project',
    params: pathIds('server_group_id'),
    writes: { resource: 'server_group', as: 'deleted' },
    status: 204,
    handler: deleteServerGroup,
  }),
];
