import { forbidden } from '../common/service-error.ts';
import type { LbRecord, LoadBalancerState } from './state.ts';

const TITLES = {
  load_balancer: 'Load Balancer',
  listener: 'Listener',
  pool: 'Pool',
  member: 'Member',
  health_monitor: 'Health Monitor',
};

type LbResource = keyof typeof TITLES;

export function limitsOf(state: LoadBalancerState, projectId: string): Record<string, number> {
  return {
    load_balancer: -1,
    listener: -1,
    member: -1,
    pool: -1,
    health_monitor: -1,
    l7policy: -1,
    l7rule: -1,
    ...state.quotas.get(projectId),
  };
}

/** @throws 403 when the project has reached its limit */
export function requireQuota(state: LoadBalancerState, resource: LbResource, projectId: string): void {
  const limit = limitsOf(state, projectId)[resource] ?? -1;
  if (limit < 0) return;
  const used = [...recordsOf(state, resource)].filter((record) => record.projectId === projectId).length;
  if (used >= limit) throw forbidden(`Quota has been met for resources: ${TITLES[resource]}`);
}

function recordsOf(state: LoadBalancerState, resource: LbResource): Iterable<LbRecord> {
  if (resource === 'load_balancer') return state.loadBalancers.values();
  if (resource === 'listener') return state.listeners.values();
  if (resource === 'pool') return state.pools.values();
  return resource === 'member' ? state.members.values() : state.monitors.values();
}
