import type {
  HealthMonitorRecord,
  ListenerRecord,
  LoadBalancerRecord,
  MemberRecord,
  PoolRecord,
} from '@gateway/openstack';
import { fixtureBody, type ReplyOptions } from '../doubles/upstream.ts';
import type { TestCaller } from './factories.ts';
import type { FakeCloud } from './fake-cloud.ts';
import { serviceCalls } from './service-calls.ts';

/** The calls to the load balancer service. */
export const { answers, calls: balancerCalls } = serviceCalls('load-balancer/load-balancer', '/v2.0/lbaas');

export const LB = 'lb-1';
export const LISTENER = 'listener-1';
export const POOL = 'pool-1';
export const IMMUTABLE = `Load Balancer ${LB} is immutable and cannot be updated.`;

/** An active load balancer of the caller's project. */
export function balancerOf(
  { projectId }: TestCaller,
  differences: Partial<LoadBalancerRecord> = {},
): LoadBalancerRecord {
  return {
    ...fixtureBody<LoadBalancerRecord>('load-balancer/load-balancer', 'loadbalancer'),
    id: LB,
    project_id: projectId,
    ...differences,
  };
}

export function listenerOf(
  { projectId }: TestCaller,
  differences: Partial<ListenerRecord> = {},
): ListenerRecord {
  return {
    ...fixtureBody<ListenerRecord>('load-balancer/listener', 'listener'),
    id: LISTENER,
    project_id: projectId,
    loadbalancers: [{ id: LB }],
    ...differences,
  };
}

export function poolOf({ projectId }: TestCaller, differences: Partial<PoolRecord> = {}): PoolRecord {
  return {
    ...fixtureBody<PoolRecord>('load-balancer/pool', 'pool'),
    id: POOL,
    project_id: projectId,
    loadbalancers: [{ id: LB }],
    ...differences,
  };
}

export function memberOf({ projectId }: TestCaller, differences: Partial<MemberRecord> = {}): MemberRecord {
  const recorded = fixtureBody<MemberRecord>('load-balancer/member', 'member');
  return { ...recorded, id: 'member-1', project_id: projectId, ...differences };
}

export function monitorOf(
  { projectId }: TestCaller,
  differences: Partial<HealthMonitorRecord> = {},
): HealthMonitorRecord {
  const recorded = fixtureBody<HealthMonitorRecord>('load-balancer/health-monitor', 'healthmonitor');
  return { ...recorded, id: 'monitor-1', project_id: projectId, ...differences };
}

/** Declares a call that the service refuses. */
export function refuses(
  cloud: FakeCloud,
  call: string,
  status: number,
  faultstring: string,
  options: ReplyOptions = {},
): void {
  answers(cloud, call, { faultcode: 'Client', faultstring, debuginfo: null }, { status, ...options });
}
