import { listOf } from '@gateway/core/shapes';
import { routerLists } from '@gateway/resources';
import { newInterfaceShape, routerDetailShape, routerShape } from '@gateway/resources/shapes';
import { pathIds } from '../../http/schemas/fields.ts';
import { routerRows } from '../../http/schemas/router.ts';
import { servesList } from '../../pipeline/cached-list.ts';
import { endpoint } from '../../pipeline/endpoint.ts';
import {
  addInterface,
  createRouter,
  deleteRouter,
  getRouter,
  removeGateway,
  removeInterface,
  setGateway,
  updateRouter,
} from './handlers.ts';
import { addInterfaceBody, createRouterBody, setGatewayBody, updateRouterBody } from './schemas.ts';

const tag = { name: 'routers', description: 'Routers, their interfaces and gateways' };
const routerId = pathIds('router_id');

export const routerEndpoints = [
  endpoint({
    method: 'GET',
    path: '/api/routers',
    tag,
    summary: "The project's routers",
    access: 'project',
    watched: 'router',
    response: listOf(routerShape),
    rows: routerRows,
    ...servesList(routerLists.project),
  }),
  endpoint({
    method: 'POST',
    path: '/api/routers',
    tag,
    summary: 'Create a router',
    description: 'With `external_network_id` it has a gateway to that network.',
    access: 'project',
    body: createRouterBody,
    writes: { resource: 'router', as: 'created' },
    status: 201,
    response: routerShape,
    errors: ['not_found', 'conflict', 'quota_exceeded'],
    handler: createRouter,
  }),
  endpoint({
    method: 'GET',
    path: '/api/routers/:router_id',
    tag,
    summary: 'A router with its interfaces',
    access: 'project',
    params: routerId,
    response: routerDetailShape,
    handler: getRouter,
  }),
  endpoint({
    method: 'PUT',
    path: '/api/routers/:router_id',
    tag,
    summary: 'Rename a router, or set its static routes',
    description:
      'Fields that are absent stay as they are; `routes` replaces all routes. A next hop that no connected subnet contains is 400.',
    access: 'project',
    params: routerId,
    body: updateRouterBody,
    writes: { resource: 'router', as: 'updated' },
    response: routerDetailShape,
    errors: ['conflict'],
    handler: updateRouter,
  }),
  endpoint({
    method: 'DELETE',
    path: '/api/routers/:router_id',
    tag,
    summary: 'Delete a router',
    description: 'Refused with 409 while the router has interfaces; `detail` names their subnets.',
    access: 'project',
    params: routerId,
    writes: { resource: 'router', as: 'deleted' },
    status: 204,
    errors: ['conflict'],
    handler: deleteRouter,
  }),
  endpoint({
    method: 'POST',
    path: '/api/routers/:router_id/interfaces',
    tag,
    summary: 'Connect a router to a subnet',
    description:
      'The interface gets the gateway address of the subnet. 409 if the router has one in it already, if the address is taken, or if the subnet has no gateway.',
    access: 'project',
    params: routerId,
    body: addInterfaceBody,
    writes: { resource: 'router', as: 'updated', touches: ['port'] },
    status: 201,
    response: newInterfaceShape,
    errors: ['conflict', 'quota_exceeded'],
    handler: addInterface,
  }),
  endpoint({
    method: 'DELETE',
    path: '/api/routers/:router_id/interfaces/:subnet_id',
    tag,
    summary: 'Disconnect a router from a subnet',
    description:
      'Refused with 409 while floating IPs or static routes need the interface; `detail` names those of the router.',
    access: 'project',
    params: pathIds('router_id', 'subnet_id'),
    writes: { resource: 'router', as: 'updated', touches: ['port'] },
    status: 204,
    errors: ['conflict'],
    handler: removeInterface,
  }),
  endpoint({
    method: 'POST',
    path: '/api/routers/:router_id/gateway',
    tag,
    summary: 'Give a router a gateway to an external network',
    description: 'Replaces the gateway that it has, unless floating IPs need that one.',
    access: 'project',
    params: routerId,
    body: setGatewayBody,
    writes: { resource: 'router', as: 'updated' },
    response: routerShape,
    errors: ['conflict'],
    handler: setGateway,
  }),
  endpoint({
    method: 'DELETE',
    path: '/api/routers/:router_id/gateway',
    tag,
    summary: 'Remove the gateway of a router',
    description: '404 without one. Refused with 409 while floating IPs need it; `detail` names them.',
    access: 'project',
    params: routerId,
    writes: { resource: 'router', as: 'updated' },
    status: 204,
    errors: ['conflict'],
    handler: removeGateway,
  }),
];
