import { conflict } from '../common/service-error.ts';
import type { LoadBalancerCloud } from './cloud.ts';
import type { LbRecord, LoadBalancer, LoadBalancerState, Pool } from './state.ts';

/** How long the service takes for a change of a load balancer. */
const CHANGE_MS = 250;

/**
 * What a change affects besides the load balancer: the record that it creates or deletes, and other
 * records that it updates.
 */
interface Change {
  record: LbRecord;
  updates?: (LbRecord | undefined)[];
}

/** Adds a record to its collection, and keeps the load balancer busy for a while. */
export function beginCreate<T extends LbRecord>(
  cloud: LoadBalancerCloud,
  balancer: LoadBalancer,
  records: Map<string, T>,
  record: T,
  updates: Change['updates'] = [],
): T {
  records.set(record.id, record);
  markBusy(balancer, updates);
  cloud.schedule.after(CHANGE_MS, finishLbChange, balancer.id, [record.id, ...idsOf(updates)]);
  return record;
}

/** Keeps the load balancer, the changed record and others above it busy for a while. */
export function beginUpdate<T extends LbRecord>(
  cloud: LoadBalancerCloud,
  balancer: LoadBalancer,
  record: T,
  updates: Change['updates'] = [],
): T {
  markBusy(balancer, [record, ...updates]);
  cloud.schedule.after(CHANGE_MS, finishLbChange, balancer.id, idsOf([record, ...updates]));
  return record;
}

export function beginRemoval(
  cloud: LoadBalancerCloud,
  balancer: LoadBalancer,
  record: LbRecord,
  updates: Change['updates'] = [],
): void {
  record.status = 'PENDING_DELETE';
  markBusy(balancer, updates);
  cloud.schedule.after(CHANGE_MS, finishLbRemoval, balancer.id, record.id, idsOf(updates));
}

/** @throws 409 while the load balancer, or the pool of a member or monitor, is busy or failed */
export function requireMutable(balancer: LoadBalancer, pool?: Pool): void {
  if (pool !== undefined && pool.status !== 'ACTIVE') throw immutable('Pool', pool);
  if (balancer.status !== 'ACTIVE') throw immutable('Load Balancer', balancer);
}

function immutable(title: string, { id }: LbRecord): Error {
  return conflict(`${title} ${id} is immutable and cannot be updated.`);
}

/** Task of the schedule: activates the load balancer and all records that the change affected. */
export function finishLbChange(cloud: LoadBalancerCloud, balancerId: string, ids: readonly string[]): void {
  const nowMs = cloud.clock.now();
  for (const id of [balancerId, ...ids]) {
    const record = recordOf(cloud.loadBalancer, id);
    if (record === undefined || !record.status.startsWith('PENDING_')) continue;
    record.status = 'ACTIVE';
    record.updatedMs = nowMs;
    if (record.operatingStatus === 'OFFLINE') record.operatingStatus = 'ONLINE';
  }
}

/** Task of the schedule: removes a listener, pool, member or health monitor, and the records below it. */
export function finishLbRemoval(
  cloud: LoadBalancerCloud,
  balancerId: string,
  id: string,
  ids: readonly string[],
): void {
  removeRecord(cloud.loadBalancer, id);
  finishLbChange(cloud, balancerId, ids);
}

function removeRecord(state: LoadBalancerState, id: string): void {
  for (const records of [state.listeners, state.members, state.monitors]) records.delete(id);
  if (!state.pools.delete(id)) return;
  for (const records of [state.members, state.monitors]) {
    for (const record of records.values()) if (record.poolId === id) records.delete(record.id);
  }
  for (const listener of state.listeners.values()) {
    if (listener.defaultPoolId === id) listener.defaultPoolId = null;
  }
}

function markBusy(balancer: LoadBalancer, updates: Change['updates'] = []): void {
  for (const record of [balancer, ...updates]) if (record !== undefined) record.status = 'PENDING_UPDATE';
}

function idsOf(updates: Change['updates'] = []): string[] {
  return updates.flatMap((record) => (record === undefined ? [] : [record.id]));
}

function recordOf(state: LoadBalancerState, id: string): LbRecord | undefined {
  const { loadBalancers, listeners, pools, members, monitors } = state;
  for (const records of [loadBalancers, listeners, pools, members, monitors]) {
    const record = (records as ReadonlyMap<string, LbRecord>).get(id);
    if (record !== undefined) return record;
  }
  return undefined;
}
