import { loadBalancerList } from '@gateway/views';
import { listOf, pathIds } from '../../http/schemas/fields.ts';
import { servesList } from '../../pipeline/cached-list.ts';
import { endpoint } from '../../pipeline/endpoint.ts';
import { loadBalancerTag, WAITS_WHILE_BUSY } from './descriptions.ts';
import { createListener, deleteListener, listListeners } from './listeners.ts';
import { createLoadBalancer, deleteLoadBalancer, getLoadBalancer } from './load-balancers.ts';
import { poolEndpoints } from './pool-routes.ts';
import { createListenerBody, createLoadBalancerBody, listenerShape, loadBalancerShape } from './schemas.ts';

export const loadBalancerEndpoints = [
  endpoint({
    method: 'GET',
    path: '/api/loadbalancers',
    tag: loadBalancerTag,
    summary: "The project's load balancers",
    access: 'project',
    watched: { type: 'load_balancer', interval: 'loadBalancers' },
    response: listOf(loadBalancerShape),
    rows: { filters: { network_id: ['vip_network_id'], subnet_id: ['vip_subnet_id'] } },
    ...servesList(loadBalancerList),
  }),
  endpoint({
    method: 'POST',
    path: '/api/loadbalancers',
    tag: loadBalancerTag,
    summary: 'Create a load balancer',
    description:
      'Answers at once; the load balancer is `PENDING_CREATE` until it is `ACTIVE`. What is below it can be created without waiting.',
    access: 'project',
    body: createLoadBalancerBody,
    changes: ['load_balancer', 'port'],
    status: 201,
    response: loadBalancerShape,
    example: () => ({ status: 'PENDING_CREATE' }),
    errors: ['conflict', 'immutable', 'quota_exceeded'],
    handler: createLoadBalancer,
  }),
  endpoint({
    method: 'GET',
    path: '/api/loadbalancers/:lb_id',
    tag: loadBalancerTag,
    summary: 'One load balancer',
    access: 'project',
    params: pathIds('lb_id'),
    response: loadBalancerShape,
    handler: getLoadBalancer,
  }),
  endpoint({
    method: 'DELETE',
    path: '/api/loadbalancers/:lb_id',
    tag: loadBalancerTag,
    summary: 'Delete a load balancer',
    description: `Its listeners, pools, members and health monitors are deleted with it. The floating IP of its address stays in the project, not associated. ${WAITS_WHILE_BUSY}`,
    access: 'project',
    params: pathIds('lb_id'),
    changes: ['load_balancer', 'port', 'floating_ip'],
    status: 204,
    errors: ['conflict', 'immutable'],
    handler: deleteLoadBalancer,
  }),
  endpoint({
    method: 'GET',
    path: '/api/loadbalancers/:lb_id/listeners',
    tag: loadBalancerTag,
    summary: 'The listeners of a load balancer',
    access: 'project',
    params: pathIds('lb_id'),
    response: listOf(listenerShape),
    rows: { filters: { pool_id: ['default_pool_id'], protocol: ['protocol'] } },
    handler: listListeners,
  }),
  endpoint({
    method: 'POST',
    path: '/api/loadbalancers/:lb_id/listeners',
    tag: loadBalancerTag,
    summary: 'Create a listener',
    description: WAITS_WHILE_BUSY,
    access: 'project',
    params: pathIds('lb_id'),
    body: createListenerBody,
    changes: ['load_balancer'],
    status: 201,
    response: listenerShape,
    example: () => ({ status: 'PENDING_CREATE' }),
    errors: ['conflict', 'immutable', 'quota_exceeded'],
    handler: createListener,
  }),
  endpoint({
    method: 'DELETE',
    path: '/api/loadbalancers/:lb_id/listeners/:listener_id',
    tag: loadBalancerTag,
    summary: 'Delete a listener',
    description: WAITS_WHILE_BUSY,
    access: 'project',
    params: pathIds('lb_id', 'listener_id'),
    changes: ['load_balancer'],
    status: 204,
    errors: ['conflict', 'immutable'],
    handler: deleteListener,
  }),
  ...poolEndpoints,
];
