import { routerList } from '@gateway/views';
import Joi from 'joi';
import { pathIds } from '../../http/schemas/fields.ts';
import { routerShape } from '../../http/schemas/router.ts';
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
} from './handlers.ts';
import {
  addInterfaceBody,
  createRouterBody,
  newInterfaceShape,
  routerDetailShape,
  setGatewayBody,
} from './schemas.ts';

const tag = { name: 'routers', description: 'Routers, their interfaces and gateways' };
const routerId = pathIds('router_id');

export const routerEndpoints = [
  endpoint({
    method: 'GET',
    path: '/api/routers',
    tag,
    summary: "The project's routers",
    access: 'project',
    response: Joi.array().items(routerShape),
    ...servesList(routerList),
  }),
  endpoint({
    method: 'POST',
    path: '/api/routers',
    tag,
    summary: 'Create a router',
    description: 'With `external_network_id` it has a gateway to that network.',
    access: 'project',
    body: createRouterBody,
    changes: ['router'],
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
    method: 'DELETE',
    path: '/api/routers/:router_id',
    tag,
    summary: 'Delete a router',
    description: 'Refused with 409 while the router has interfaces; `detail` names their subnets.',
    access: 'project',
    params: routerId,
    changes: ['router'],
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
    changes: ['router', 'port'],
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
      'Refused with 409 while floating IPs need the interface; `detail` names those of the router.',
    access: 'project',
    params: pathIds('router_id', 'subnet_id'),
    changes: ['router', 'port'],
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
    changes: ['router'],
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
    changes: ['router'],
    status: 204,
    errors: ['conflict'],
    handler: removeGateway,
  }),
];
