import { newInterfaceShape, routerShape } from '@gateway/resources/shapes';
import { pathIds } from '../../http/schemas/fields.ts';
import { endpoint } from '../../pipeline/endpoint.ts';
import { adminTags } from '../admin-tags.ts';
import { addInterfaceBody, createRouterBody } from '../routers/schemas.ts';
import { addInterface, createRouter, deleteRouter, removeInterface, updateRouter } from './handlers.ts';
import { updateRouterBody } from './schemas.ts';

const params = pathIds('router_id');

export const adminRouterEndpoints = [
  endpoint({
    method: 'POST',
    path: '/api/admin/routers',
    tag: adminTags.networks,
    summary: 'Create a router',
    description:
      'In the project of the request. With `external_network_id` it has a gateway to that network.',
    access: 'admin',
    body: createRouterBody,
    writes: { resource: 'router', as: 'created', touches: ['port'] },
    status: 201,
    response: routerShape,
    errors: ['not_found', 'conflict', 'quota_exceeded'],
    handler: createRouter,
  }),
  endpoint({
    method: 'PUT',
    path: '/api/admin/routers/:router_id',
    tag: adminTags.networks,
    summary: 'Rename a router of any project, or change its gateway',
    description: 'Refused with 409 while floating IPs need the gateway; `detail` names them.',
    access: 'admin',
    params,
    body: updateRouterBody,
    writes: { resource: 'router', as: 'updated', touches: ['port'] },
    response: routerShape,
    errors: ['conflict'],
    handler: updateRouter,
  }),
  endpoint({
    method: 'DELETE',
    path: '/api/admin/routers/:router_id',
    tag: adminTags.networks,
    summary: 'Delete a router of any project',
    description: 'Refused with 409 while the router has interfaces; `detail` names their subnets.',
    access: 'admin',
    params,
    writes: { resource: 'router', as: 'deleted', touches: ['port'] },
    status: 204,
    errors: ['conflict'],
    handler: deleteRouter,
  }),
  endpoint({
    method: 'POST',
    path: '/api/admin/routers/:router_id/interfaces',
    tag: adminTags.networks,
    summary: 'Connect a router of any project to a subnet',
    description:
      'The interface gets the gateway address of the subnet, and belongs to the project of the router.',
    access: 'admin',
    params,
    body: addInterfaceBody,
    writes: { resource: 'router', as: 'updated', touches: ['port'] },
    status: 201,
    response: newInterfaceShape,
    errors: ['conflict', 'quota_exceeded'],
    handler: addInterface,
  }),
  endpoint({
    method: 'DELETE',
    path: '/api/admin/routers/:router_id/interfaces/:subnet_id',
    tag: adminTags.networks,
    summary: 'Disconnect a router of any project from a subnet',
    description:
      'Refused with 409 while floating IPs or static routes need the interface; `detail` names them.',
    access: 'admin',
    params: pathIds('router_id', 'subnet_id'),
    writes: { resource: 'router', as: 'updated', touches: ['port'] },
    status: 204,
    errors: ['conflict'],
    handler: removeInterface,
  }),
];
