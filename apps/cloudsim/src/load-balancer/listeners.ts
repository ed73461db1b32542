import { type JsonObject, stringAt } from '../common/json.ts';
import { conflict } from '../common/service-error.ts';
import type { Caller } from '../http/operation.ts';
import { beginCreate, beginRemoval, requireMutable } from './changes.ts';
import type { LoadBalancerCloud } from './cloud.ts';
import { findLoadBalancer } from './load-balancers.ts';
import { requireQuota } from './quotas.ts';
import { find, newRecord, presentRecord, requireInteger, requireWord } from './records.ts';
import type { Listener } from './state.ts';

const PROTOCOLS = ['TERMINATED_HTTPS', 'TCP', 'PROMETHEUS', 'HTTP', 'UDP', 'SCTP', 'HTTPS'];
export const PORTS = [1, 65_535] as const;

export function findListener(cloud: LoadBalancerCloud, caller: Caller, id: string): Listener {
  return find(caller, cloud.loadBalancer.listeners, 'Listener', id);
}

export function createListener(cloud: LoadBalancerCloud, caller: Caller, input: JsonObject): Listener {
  const { listeners, pools } = cloud.loadBalancer;
  const protocol = requireWord(input, 'protocol', PROTOCOLS);
  const port = requireInteger(input, 'protocol_port', PORTS);
  const balancer = findLoadBalancer(cloud, caller, stringAt(input, 'loadbalancer_id') ?? '');
  const defaultPoolId = stringAt(input, 'default_pool_id') ?? null;
  const pool = defaultPoolId === null ? undefined : find(caller, pools, 'Pool', defaultPoolId);
  requireQuota(cloud.loadBalancer, 'listener', caller.projectId);
  for (const other of listeners.values()) {
    if (other.loadBalancerId === balancer.id && other.protocol === protocol && other.port === port)
      throw conflict(
        `Another Listener on this Load Balancer is already using protocol ${protocol} and protocol_port ${port}`,
      );
  }
  requireMutable(balancer);
  const listener: Listener = {
    ...newRecord(cloud, caller, input),
    loadBalancerId: balancer.id,
    protocol,
    port,
    defaultPoolId,
  };
  return beginCreate(cloud, balancer, listeners, listener, [pool]);
}

export function deleteListener(cloud: LoadBalancerCloud, caller: Caller, id: string): void {
  const listener = findListener(cloud, caller, id);
  const balancer = findLoadBalancer(cloud, caller, listener.loadBalancerId);
  requireMutable(balancer);
  beginRemoval(cloud, balancer, listener);
}

export function presentListener(listener: Listener): object {
  return {
    ...presentRecord(listener),
    description: '',
    protocol: listener.protocol,
    protocol_port: listener.port,
    connection_limit: -1,
    default_pool_id: listener.defaultPoolId,
    loadbalancers: [{ id: listener.loadBalancerId }],
    l7policies: [],
    insert_headers: {},
  };
}
