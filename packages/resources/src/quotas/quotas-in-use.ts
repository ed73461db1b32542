import type { BoundClient, QuotaUsage } from '@gateway/openstack';
import type { Config } from '@gateway/platform';
import { DashboardParts } from '../lists/dashboard-parts.ts';

type QuotaSources = Pick<Config, 'services' | 'timeLimits'>;

/** A quota of a project, which may be unlimited (-1), and what counts against it. */
export interface QuotaInUse {
  service: 'blockStorage' | 'compute' | 'loadBalancer' | 'network' | 'sharedFileSystem';
  /** The name in `AdminQuotas`, or in `DashboardQuotas` for those that only this has. */
  quota: string;
  limit: number;
  inUse: number;
}

/**
 * The quotas of a project with their usage: a call for each service, and for load balancers one for each
 * kind that is limited. Without the quotas of the services that are unavailable or refuse the read.
 *
 * @param openstack of an administrator
 */
export async function readQuotasInUse(
  openstack: BoundClient,
  projectId: string,
  { services, timeLimits }: QuotaSources,
): Promise<{ quotas: QuotaInUse[]; unavailable: QuotaInUse['service'][] }> {
  const { blockStorage, compute, loadBalancer, network, sharedFileSystem } = openstack;
  const parts = new DashboardParts<QuotaInUse['service']>(timeLimits.dashboardPartSeconds * 1000);
  const part = async (
    service: QuotaInUse['service'],
    read: () => Promise<Record<string, QuotaUsage>>,
  ): Promise<QuotaInUse[]> => {
    const quotas = Object.entries((await parts.read(service, read)) ?? {});
    return quotas.map(([quota, { limit, in_use }]) => ({ service, quota, limit, inUse: in_use }));
  };
  const found = await Promise.all([
    part('compute', () => compute.quotas.get(projectId)),
    part('blockStorage', () => blockStorage.quotas.get(projectId)),
    part('network', () => network.quotas.getUsage(projectId)),
    services.sharedFs ? part('sharedFileSystem', () => sharedFileSystem.quotas.getUsage(projectId)) : [],
    openstack.has('loadBalancer')
      ? part('loadBalancer', () => loadBalancer.quotas.getUsage(projectId, { onlyLimited: true }))
      : [],
  ]);
  return { quotas: found.flat(), unavailable: parts.unavailable };
}
