import { conflict } from '../common/service-error.ts';
import type { NetworkRecord, NetworkState } from './state.ts';

export function limitsOf(network: NetworkState, projectId: string): Record<string, number> {
  return { ...network.defaultQuota, ...network.quotas.get(projectId) };
}

export function usageOf(network: NetworkState, resource: string, projectId: string): number {
  const records = counted(network, resource);
  let count = 0;
  for (const record of records?.values() ?? []) if (record.project_id === projectId) count += 1;
  return count;
}

function counted(network: NetworkState, resource: string): Map<string, NetworkRecord> | undefined {
  if (resource === 'network') return network.networks;
  if (resource === 'subnet') return network.subnets;
  if (resource === 'port') return network.ports;
  if (resource === 'router') return network.routers;
  if (resource === 'floatingip') return network.floatingIps;
  if (resource === 'security_group') return network.securityGroups;
  if (resource === 'security_group_rule') return network.rules;
  return undefined;
}

/** @throws 409 when the project has reached its limit. */
export function requireQuota(network: NetworkState, resource: string, projectId: string): void {
  const limit = limitsOf(network, projectId)[resource] ?? -1;
  if (limit < 0 || usageOf(network, resource, projectId) < limit) return;
  throw conflict(`Quota exceeded for resources: ['${resource}'].`, 'OverQuota');
}
