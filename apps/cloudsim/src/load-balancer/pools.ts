import { type JsonObject, stringAt } from '../common/json.ts';
import { badRequest, conflict } from '../common/service-error.ts';
import type { Caller } from '../http/operation.ts';
import { beginCreate, beginRemoval, beginUpdate, requireMutable } from './changes.ts';
import type { LoadBalancerCloud } from './cloud.ts';
import { findListener } from './listeners.ts';
import { findLoadBalancer } from './load-balancers.ts';
import { requireQuota } from './quotas.ts';
import { find, newRecord, presentRecord, requireWord } from './records.ts';
import type { Listener, LoadBalancer, Pool } from './state.ts';

const PROTOCOLS = ['TCP', 'HTTP', 'HTTPS', 'UDP', 'SCTP', 'PROXY', 'PROXYV2'];
const TERMINATED_PROTOCOLS = ['HTTP', 'PROXY', 'PROXYV2'];
/** The protocols of the pools that a listener with each protocol can have. */
const POOL_PROTOCOLS: Readonly<Record<string, readonly string[]>> = {
  TCP: ['HTTP', 'HTTPS', 'PROXY', 'PROXYV2', 'TCP'],
  HTTP: TERMINATED_PROTOCOLS,
  HTTPS: ['HTTPS', 'PROXY', 'PROXYV2', 'TCP'],
  TERMINATED_HTTPS: TERMINATED_PROTOCOLS,
  UDP: ['UDP'],
  SCTP: ['SCTP'],
};
const ALGORITHMS = ['SOURCE_IP', 'ROUND_ROBIN', 'LEAST_CONNECTIONS', 'SOURCE_IP_PORT'];

export function findPool(cloud: LoadBalancerCloud, caller: Caller, id: string): Pool {
  return find(caller, cloud.loadBalancer.pools, 'Pool', id);
}

export function balancerOf(cloud: LoadBalancerCloud, caller: Caller, pool: Pool): LoadBalancer {
  return findLoadBalancer(cloud, caller, pool.loadBalancerId);
}

/** The listeners whose default pool this is. */
export function listenersOf({ loadBalancer }: LoadBalancerCloud, pool: Pool): Listener[] {
  return [...loadBalancer.listeners.values()].filter(({ defaultPoolId }) => defaultPoolId === pool.id);
}

export function createPool(cloud: LoadBalancerCloud, caller: Caller, input: JsonObject): Pool {
  const protocol = requireWord(input, 'protocol', PROTOCOLS);
  const algorithm = requireWord(input, 'lb_algorithm', ALGORITHMS);
  const listenerId = stringAt(input, 'listener_id');
  const listener = listenerId === undefined ? undefined : findListener(cloud, caller, listenerId);
  const givenBalancerId = stringAt(input, 'loadbalancer_id');
  const balancerId = givenBalancerId ?? listener?.loadBalancerId;
  if (balancerId === undefined)
    throw badRequest(
      'Validation failure: Must provide at least one of: loadbalancer_id, listener_id',
      'Client',
    );
  const balancer = findLoadBalancer(cloud, caller, balancerId);
  if (listener !== undefined && givenBalancerId === undefined) requireCompatible(listener, protocol);
  requireQuota(cloud.loadBalancer, 'pool', caller.projectId);
  if (listener !== undefined && listener.defaultPoolId !== null)
    throw conflict('This listener already has a default pool');
  requireMutable(balancer);
  const record = newRecord(cloud, caller, input);
  const pool: Pool = { ...record, loadBalancerId: balancer.id, protocol, algorithm };
  if (listener !== undefined) listener.defaultPoolId = pool.id;
  return beginCreate(cloud, balancer, cloud.loadBalancer.pools, pool, [listener]);
}

/** The service asks this only of a pool that comes with a listener alone. */
function requireCompatible(listener: Listener, protocol: string): void {
  if (listener.protocol === 'PROMETHEUS')
    throw badRequest('Protocol PROMETHEUS listeners cannot have child objects.', 'Client');
  if (!POOL_PROTOCOLS[listener.protocol]?.includes(protocol))
    throw badRequest(
      `Validation failure: The pool protocol '${protocol}' is invalid while the listener protocol is '${listener.protocol}'.`,
      'Client',
    );
}

export function updatePool(cloud: LoadBalancerCloud, caller: Caller, id: string, input: JsonObject): Pool {
  const pool = findPool(cloud, caller, id);
  const algorithm =
    input.lb_algorithm === undefined ? pool.algorithm : requireWord(input, 'lb_algorithm', ALGORITHMS);
  const balancer = balancerOf(cloud, caller, pool);
  requireMutable(balancer);
  pool.name = stringAt(input, 'name') ?? pool.name;
  pool.algorithm = algorithm;
  return beginUpdate(cloud, balancer, pool, listenersOf(cloud, pool));
}

export function deletePool(cloud: LoadBalancerCloud, caller: Caller, id: string): void {
  const pool = findPool(cloud, caller, id);
  const balancer = balancerOf(cloud, caller, pool);
  requireMutable(balancer);
  beginRemoval(cloud, balancer, pool, listenersOf(cloud, pool));
}

export function presentPool(cloud: LoadBalancerCloud, pool: Pool): object {
  const { members, monitors } = cloud.loadBalancer;
  const monitor = [...monitors.values()].find(({ poolId }) => poolId === pool.id);
  return {
    ...presentRecord(pool),
    description: '',
    protocol: pool.protocol,
    lb_algorithm: pool.algorithm,
    session_persistence: null,
    loadbalancers: [{ id: pool.loadBalancerId }],
    listeners: listenersOf(cloud, pool).map(({ id }) => ({ id })),
    ...(monitor !== undefined && { healthmonitor_id: monitor.id }),
    members: [...members.values()].filter(({ poolId }) => poolId === pool.id).map(({ id }) => ({ id })),
  };
}
