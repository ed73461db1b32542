import { envelope, type JsonObject, numberAt, objectAt } from '../common/json.ts';
import { badRequest, forbidden } from '../common/service-error.ts';
import { loadBalancerFormat, pecanFormat } from '../http/error-formats.ts';
import { accepted, created, noContent, ok, operation, type Reply } from '../http/operation.ts';
import { pageOf } from '../http/page.ts';
import { owns } from '../http/policy.ts';
import type { Service } from '../http/service.ts';
import type { LoadBalancerCall, LoadBalancerCloud } from './cloud.ts';
import {
  createListener,
  deleteListener,
  findListener,
  presentListener,
  updateListener,
} from './listeners.ts';
import {
  createLoadBalancer,
  deleteLoadBalancer,
  findLoadBalancer,
  presentLoadBalancer,
  updateLoadBalancer,
} from './load-balancers.ts';
import { createMember, deleteMember, findMember, presentMember, updateMember } from './members.ts';
import { createMonitor, deleteMonitor, findMonitor, presentMonitor, updateMonitor } from './monitors.ts';
import { createPool, deletePool, findPool, presentPool, updatePool } from './pools.ts';
import { limitsOf } from './quotas.ts';
import type { LbRecord } from './state.ts';

/**
 * Newest last. Administrators list all projects, unless the query names one, which the link to the next page
 * does not repeat. Every full page has such a link.
 */
function list<T extends LbRecord>(
  call: LoadBalancerCall,
  plural: string,
  records: Iterable<T>,
  present: (record: T) => object,
): Reply {
  const { caller, cloud, query } = call;
  const project = query.get('project_id') ?? (caller.isAdmin ? null : caller.projectId);
  if (project !== null && !owns(caller, project))
    throw forbidden('Policy does not allow this request to be performed.');
  const visible = [...records].filter(({ projectId }) => project === null || projectId === project);
  const { maxPageLength } = cloud.settings;
  const limit = Math.min(Number(query.get('limit') ?? maxPageLength), maxPageLength);
  const { items } = pageOf(
    visible,
    ({ id }) => id,
    query.get('marker'),
    limit,
    (marker) => badRequest(`Supplied pagination marker '${marker}' is not valid.`),
  );
  const marker = items.length === limit ? items.at(-1)?.id : undefined;
  const href = `${call.base}${call.url.split('?')[0]}?limit=${limit}&marker=${marker}`;
  const links = marker === undefined ? [] : [{ rel: 'next', href }];
  return ok({ [plural]: items.map(present), [`${plural}_links`]: links });
}

function ofLoadBalancer<T extends { loadBalancerId: string }>(
  { query }: LoadBalancerCall,
  records: Iterable<T>,
): T[] {
  const id = query.get('loadbalancer_id');
  return [...records].filter(({ loadBalancerId }) => id === null || loadBalancerId === id);
}

function input(call: LoadBalancerCall, key: string): JsonObject {
  return envelope(call.body, key, () => badRequest(`Missing mandatory field ${key}.`));
}

/** Declares an operation with the id in its path. */
function byId(name: string, route: string, run: (call: LoadBalancerCall, id: string) => Reply) {
  return operation<LoadBalancerCloud>(name, route, (call) => run(call, call.params.id ?? ''));
}

function getQuota({ caller, cloud }: LoadBalancerCall, id: string): Reply {
  if (!owns(caller, id)) throw forbidden('Policy does not allow this request to be performed.');
  return ok({ quota: limitsOf(cloud.loadBalancer, id) });
}

function setQuota(call: LoadBalancerCall, id: string): Reply {
  if (!call.caller.isAdmin) throw forbidden('Policy does not allow this request to be performed.');
  const changes = objectAt(call.body, 'quota');
  const { loadBalancer } = call.cloud;
  const limits = { ...loadBalancer.quotas.get(id) };
  for (const key of Object.keys(changes)) limits[key] = numberAt(changes, key) ?? -1;
  loadBalancer.quotas.set(id, limits);
  return accepted({ quota: limitsOf(loadBalancer, id) });
}

export const loadBalancerService: Service<LoadBalancerCloud> = {
  name: 'load-balancer',
  prefix: '/load-balancer/v2.0',
  errors: loadBalancerFormat,
  unrouted: pecanFormat,
  malformed: 'Invalid input: the body is not JSON.',
  requestIdHeaders: ['X-Openstack-Request-Id'],
  operations: [
    operation('loadbalancers.list', 'GET /lbaas/loadbalancers', (call) =>
      list(call, 'loadbalancers', call.cloud.loadBalancer.loadBalancers.values(), (balancer) =>
        presentLoadBalancer(call.cloud, balancer),
      ),
    ),
    operation('loadbalancers.create', 'POST /lbaas/loadbalancers', (call) => {
      const balancer = createLoadBalancer(call.cloud, call.caller, input(call, 'loadbalancer'));
      return created({ loadbalancer: presentLoadBalancer(call.cloud, balancer) });
    }),
    byId('loadbalancers.get', 'GET /lbaas/loadbalancers/:id', ({ cloud, caller }, id) =>
      ok({ loadbalancer: presentLoadBalancer(cloud, findLoadBalancer(cloud, caller, id)) }),
    ),
    byId('loadbalancers.update', 'PUT /lbaas/loadbalancers/:id', (call, id) => {
      const balancer = updateLoadBalancer(call.cloud, call.caller, id, input(call, 'loadbalancer'));
      return ok({ loadbalancer: presentLoadBalancer(call.cloud, balancer) });
    }),
    byId('loadbalancers.delete', 'DELETE /lbaas/loadbalancers/:id', ({ cloud, caller, query }, id) => {
      deleteLoadBalancer(cloud, caller, id, query.get('cascade')?.toLowerCase() === 'true');
      return noContent();
    }),
    operation('listeners.list', 'GET /lbaas/listeners', (call) =>
      list(
        call,
        'listeners',
        ofLoadBalancer(call, call.cloud.loadBalancer.listeners.values()),
        presentListener,
      ),
    ),
    operation('listeners.create', 'POST /lbaas/listeners', (call) =>
      created({
        listener: presentListener(createListener(call.cloud, call.caller, input(call, 'listener'))),
      }),
    ),
    byId('listeners.get', 'GET /lbaas/listeners/:id', ({ cloud, caller }, id) =>
      ok({ listener: presentListener(findListener(cloud, caller, id)) }),
    ),
    byId('listeners.update', 'PUT /lbaas/listeners/:id', (call, id) =>
      ok({
        listener: presentListener(updateListener(call.cloud, call.caller, id, input(call, 'listener'))),
      }),
    ),
    byId('listeners.delete', 'DELETE /lbaas/listeners/:id', ({ cloud, caller }, id) => {
      deleteListener(cloud, caller, id);
      return noContent();
    }),
    operation('pools.list', 'GET /lbaas/pools', (call) =>
      list(call, 'pools', ofLoadBalancer(call, call.cloud.loadBalancer.pools.values()), (pool) =>
        presentPool(call.cloud, pool),
      ),
    ),
    operation('pools.create', 'POST /lbaas/pools', (call) =>
      created({
        pool: presentPool(call.cloud, createPool(call.cloud, call.caller, input(call, 'pool'))),
      }),
    ),
    byId('pools.get', 'GET /lbaas/pools/:id', ({ cloud, caller }, id) =>
      ok({ pool: presentPool(cloud, findPool(cloud, caller, id)) }),
    ),
    byId('pools.update', 'PUT /lbaas/pools/:id', (call, id) =>
      ok({
        pool: presentPool(call.cloud, updatePool(call.cloud, call.caller, id, input(call, 'pool'))),
      }),
    ),
    byId('pools.delete', 'DELETE /lbaas/pools/:id', ({ cloud, caller }, id) => {
      deletePool(cloud, caller, id);
      return noContent();
    }),
    byId('members.list', 'GET /lbaas/pools/:id/members', (call, id) => {
      findPool(call.cloud, call.caller, id);
      const members = [...call.cloud.loadBalancer.members.values()].filter(({ poolId }) => poolId === id);
      return list(call, 'members', members, presentMember);
    }),
    byId('members.create', 'POST /lbaas/pools/:id/members', (call, id) =>
      created({
        member: presentMember(createMember(call.cloud, call.caller, id, input(call, 'member'))),
      }),
    ),
    byId('members.get', 'GET /lbaas/pools/:id/members/:member', ({ cloud, caller, params }, id) =>
      ok({ member: presentMember(findMember(cloud, caller, id, params.member ?? '')) }),
    ),
    byId('members.update', 'PUT /lbaas/pools/:id/members/:member', (call, id) => {
      const { caller, cloud, params } = call;
      const member = updateMember(cloud, caller, id, params.member ?? '', input(call, 'member'));
      return ok({ member: presentMember(member) });
    }),
    byId('members.delete', 'DELETE /lbaas/pools/:id/members/:member', ({ cloud, caller, params }, id) => {
      deleteMember(cloud, caller, id, params.member ?? '');
      return noContent();
    }),
    operation('healthmonitors.list', 'GET /lbaas/healthmonitors', (call) =>
      list(call, 'healthmonitors', call.cloud.loadBalancer.monitors.values(), presentMonitor),
    ),
    operation('healthmonitors.create', 'POST /lbaas/healthmonitors', (call) =>
      created({
        healthmonitor: presentMonitor(createMonitor(call.cloud, call.caller, input(call, 'healthmonitor'))),
      }),
    ),
    byId('healthmonitors.get', 'GET /lbaas/healthmonitors/:id', ({ cloud, caller }, id) =>
      ok({ healthmonitor: presentMonitor(findMonitor(cloud, caller, id)) }),
    ),
    byId('healthmonitors.update', 'PUT /lbaas/healthmonitors/:id', (call, id) =>
      ok({
        healthmonitor: presentMonitor(
          updateMonitor(call.cloud, call.caller, id, input(call, 'healthmonitor')),
        ),
      }),
    ),
    byId('healthmonitors.delete', 'DELETE /lbaas/healthmonitors/:id', ({ cloud, caller }, id) => {
      deleteMonitor(cloud, caller, id);
      return noContent();
    }),
    byId('quotas.get', 'GET /lbaas/quotas/:id', getQuota),
    byId('quotas.update', 'PUT /lbaas/quotas/:id', setQuota),
  ],
};
