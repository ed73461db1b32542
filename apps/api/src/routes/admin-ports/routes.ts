import { portShape } from '@gateway/resources/shapes';
import { pathIds } from '../../http/schemas/fields.ts';
import { endpoint } from '../../pipeline/endpoint.ts';
import { adminTags } from '../admin-tags.ts';
import { deletePort, updatePort } from './handlers.ts';
import { updatePortBody } from './schemas.ts';

const params = pathIds('port_id');

export const adminPortEndpoints = [
  endpoint({
    method: 'PUT',
    path: '/api/admin/ports/:port_id',
    tag: adminTags.networks,
    summary: 'Rename a port of any project',
    access: 'admin',
    params,
    body: updatePortBody,
    writes: { resource: 'port', as: 'updated' },
    response: portShape,
    errors: ['conflict'],
    handler: updatePort,
  }),
  endpoint({
    method: 'DELETE',
    path: '/api/admin/ports/:port_id',
    tag: adminTags.networks,
    summary: 'Delete a port of any project',
    description:
      'An instance that uses it loses it. Refused with 409 for the ports of routers and floating IPs.',
    access: 'admin',
    params,
    writes: { resource: 'port', as: 'deleted', touches: ['instance', 'floating_ip', 'router'] },
    status: 204,
    errors: ['conflict'],
    handler: deletePort,
  }),
];
