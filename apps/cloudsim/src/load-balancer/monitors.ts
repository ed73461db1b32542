import { type JsonObject, stringAt } from '../common/json.ts';
import { badRequest, conflict } from '../common/service-error.ts';
import type { Caller } from '../http/operation.ts';
import { beginCreate, beginRemoval, beginUpdate, requireMutable } from './changes.ts';
import type { LoadBalancerCloud } from './cloud.ts';
import { balancerOf, findPool, listenersOf } from './pools.ts';
import { requireQuota } from './quotas.ts';
import { find, newRecord, presentRecord, requireInteger, requireWord } from './records.ts';
import type { HealthMonitor } from './state.ts';

const TYPES = ['TCP', 'HTTP', 'HTTPS', 'SCTP', 'PING', 'TLS-HELLO', 'UDP-CONNECT'];
const SECONDS = [0, 2 ** 31 - 1] as const;
const RETRIES = [1, 10] as const;

export function findMonitor(cloud: LoadBalancerCloud, caller: Caller, id: string): HealthMonitor {
  return find(caller, cloud.loadBalancer.monitors, 'Health Monitor', id);
}

export function createMonitor(cloud: LoadBalancerCloud, caller: Caller, input: JsonObject): HealthMonitor {
  const type = requireWord(input, 'type', TYPES);
  const delay = requireInteger(input, 'delay', SECONDS);
  const timeout = requireInteger(input, 'timeout', SECONDS);
  const maxRetries = requireInteger(input, 'max_retries', RETRIES);
  const pool = findPool(cloud, caller, stringAt(input, 'pool_id') ?? '');
  if (type === 'UDP-CONNECT' && pool.protocol !== 'UDP')
    throw badRequest(
      'Validation failure: The UDP-CONNECT type is only supported for pools of type UDP/SCTP.',
      'Client',
    );
  const { monitors } = cloud.loadBalancer;
  if ([...monitors.values()].some(({ poolId }) => poolId === pool.id))
    throw conflict('This pool already has a health monitor');
  requireQuota(cloud.loadBalancer, 'health_monitor', caller.projectId);
  const balancer = balancerOf(cloud, caller, pool);
  requireMutable(balancer, pool);
  const record = newRecord(cloud, caller, input);
  const monitor: HealthMonitor = { ...record, poolId: pool.id, type, delay, timeout, maxRetries };
  return beginCreate(cloud, balancer, monitors, monitor, [pool, ...listenersOf(cloud, pool)]);
}

export function updateMonitor(
  cloud: LoadBalancerCloud,
  caller: Caller,
  id: string,
  input: JsonObject,
): HealthMonitor {
  const monitor = findMonitor(cloud, caller, id);
  const changes = {
    name: stringAt(input, 'name') ?? monitor.name,
    delay: requireInteger(input, 'delay', SECONDS, monitor.delay),
    timeout: requireInteger(input, 'timeout', SECONDS, monitor.timeout),
    maxRetries: requireInteger(input, 'max_retries', RETRIES, monitor.maxRetries),
  };
  const pool = findPool(cloud, caller, monitor.poolId);
  const balancer = balancerOf(cloud, caller, pool);
  requireMutable(balancer, pool);
  Object.assign(monitor, changes);
  return beginUpdate(cloud, balancer, monitor, [pool, ...listenersOf(cloud, pool)]);
}

export function deleteMonitor(cloud: LoadBalancerCloud, caller: Caller, id: string): void {
  const monitor = findMonitor(cloud, caller, id);
  const pool = findPool(cloud, caller, monitor.poolId);
  const balancer = balancerOf(cloud, caller, pool);
  requireMutable(balancer, pool);
  beginRemoval(cloud, balancer, monitor, [pool, ...listenersOf(cloud, pool)]);
}

export function presentMonitor(monitor: HealthMonitor): object {
  return {
    ...presentRecord(monitor),
    type: monitor.type,
    delay: monitor.delay,
    timeout: monitor.timeout,
    max_retries: monitor.maxRetries,
    max_retries_down: 3,
    http_method: 'GET',
    url_path: '/',
    expected_codes: '200',
    pools: [{ id: monitor.poolId }],
  };
}
