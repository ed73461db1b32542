import { listOf } from '@gateway/core/shapes';
import { floatingIpLists } from '@gateway/resources';
import { floatingIpShape } from '@gateway/resources/shapes';
import { pathIds } from '../../http/schemas/fields.ts';
import { floatingIpRows } from '../../http/schemas/floating-ip.ts';
import { servesList } from '../../pipeline/cached-list.ts';
import { endpoint } from '../../pipeline/endpoint.ts';
import { associate, createFloatingIp, deleteFloatingIp, disassociate } from './handlers.ts';
import { associateBody, createFloatingIpBody } from './schemas.ts';

const tag = { name: 'floating-ips', description: 'Floating IPs' };
const floatingIpId = pathIds('fip_id');

export const floatingIpEndpoints = [
  endpoint({
    method: 'GET',
    path: '/api/networks/floating-ips',
    tag,
    summary: "The project's floating IPs",
    access: 'project',
    watched: 'floating_ip',
    response: listOf(floatingIpShape),
    rows: floatingIpRows,
    ...servesList(floatingIpLists.project),
  }),
  endpoint({
    method: 'POST',
    path: '/api/networks/floating-ips',
    tag,
    summary: 'Allocate a floating IP',
    access: 'project',
    body: createFloatingIpBody,
    writes: { resource: 'floating_ip', as: 'created' },
    status: 201,
    response: floatingIpShape,
    example: () => ({ status: 'DOWN', port_id: null, fixed_ip_address: null }),
    errors: ['not_found', 'conflict', 'quota_exceeded'],
    handler: createFloatingIp,
  }),
  endpoint({
    method: 'POST',
    path: '/api/networks/floating-ips/:fip_id/associate',
    tag,
    summary: 'Associate a floating IP with an instance',
    description:
      'With the first address of the instance that a router connects to the external network and whose port has no floating IP. 400 with the code `no_external_network` if no router does; 409 if the floating IP is associated already or forwards ports, or if every port that could take one has one.',
    access: 'project',
    params: floatingIpId,
    body: associateBody,
    writes: [
      { resource: 'floating_ip', as: 'updated' },
      { resource: 'instance', as: 'updated', id: (_, { body }) => body.instance_id },
    ],
    response: floatingIpShape,
    errors: ['no_external_network', 'conflict'],
    handler: associate,
  }),
  endpoint({
    method: 'POST',
    path: '/api/networks/floating-ips/:fip_id/disassociate',
    tag,
    summary: 'Take a floating IP from its instance',
    description: 'The project keeps the address. One that is not associated stays as it is.',
    access: 'project',
    params: floatingIpId,
    writes: { resource: 'floating_ip', as: 'updated', touches: ['instance'] },
    response: floatingIpShape,
    handler: disassociate,
  }),
  endpoint({
    method: 'DELETE',
    path: '/api/networks/floating-ips/:fip_id',
    tag,
    summary: 'Release a floating IP',
    description: 'Also one that is associated. 409 if it forwards ports.',
    access: 'project',
    params: floatingIpId,
    writes: { resource: 'floating_ip', as: 'deleted', touches: ['instance'] },
    status: 204,
    handler: deleteFloatingIp,
  }),
];
