import { floatingIpShape } from '@gateway/resources/shapes';
import { pathIds } from '../../http/schemas/fields.ts';
import { endpoint } from '../../pipeline/endpoint.ts';
import { adminTags } from '../admin-tags.ts';
import { createFloatingIpBody } from '../floating-ips/schemas.ts';
import { createFloatingIp, deleteFloatingIp } from './handlers.ts';

export const adminFloatingIpEndpoints = [
  endpoint({
    method: 'POST',
    path: '/api/admin/floating-ips',
    tag: adminTags.networks,
    summary: 'Allocate a floating IP',
    description: 'In the project of the request, from any external network.',
    access: 'admin',
    body: createFloatingIpBody,
    writes: { resource: 'floating_ip', as: 'created' },
    status: 201,
    response: floatingIpShape,
    example: () => ({ status: 'DOWN', port_id: null, fixed_ip_address: null }),
    errors: ['not_found', 'conflict', 'quota_exceeded'],
    handler: createFloatingIp,
  }),
  endpoint({
    method: 'DELETE',
    path: '/api/admin/floating-ips/:fip_id',
    tag: adminTags.networks,
    summary: 'Release a floating IP of any project',
    description: 'Also one that is associated. 409 if it forwards ports.',
    access: 'admin',
    params: pathIds('fip_id'),
    writes: { resource: 'floating_ip', as: 'deleted', touches: ['instance'] },
    status: 204,
    handler: deleteFloatingIp,
  }),
];
