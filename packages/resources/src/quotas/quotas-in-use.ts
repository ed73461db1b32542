import { type GpuRecords, listServerGpus } from '@gateway/inventory';
import type { BoundClient } from '@gateway/openstack';
import type { Config } from '@gateway/platform';
import { DashboardParts } from '../lists/dashboard-parts.ts';
import { isOffered } from '../lists/is-offered.ts';
import { presentGpuQuotas } from './gpu-quotas.ts';
import type { QuotaValue } from './quota-value.ts';

interface QuotaSources {
  /** Of an administrator. */
  openstack: BoundClient;
  config: Pick<Config, 'gpu' | 'services' | 'timeLimits'>;
  /** What the gateway's own quotas count in the project. */
  readGpuRecords: (projectId: string) => Promise<GpuRecords>;
}

/** A quota of a project, which may be unlimited (-1), and what counts against it. */
export interface QuotaInUse {
  service: 'blockStorage' | 'compute' | 'loadBalancer' | 'network' | 'sharedFileSystem';
  /**
   * The name in `AdminQuotas`, or in `DashboardQuotas` for those that only this has; `gpu:` with the type for
   * the quota on GPUs.
   */
  quota: string;
  limit: number;
  inUse: number;
}

/**
 * The quotas of a project with their usage: a call for each service, one for the servers if GPUs are limited,
 * and for load balancers one for each kind that is limited. Without the quotas of the services that the cloud
 * does not have, and of those that are unavailable or refuse the read.
 */
export async function readQuotasInUse(
  projectId: string,
  { config, openstack, readGpuRecords }: QuotaSources,
): Promise<{ quotas: QuotaInUse[]; unavailable: QuotaInUse['service'][] }> {
  const { blockStorage, compute, loadBalancer, network, sharedFileSystem } = openstack;
  const { gpu, services, timeLimits } = config;
  const parts = new DashboardParts<QuotaInUse['service']>(timeLimits.dashboardPartSeconds * 1000);
  const part = async (
    service: QuotaInUse['service'],
    read: () => Promise<Record<string, QuotaValue>>,
  ): Promise<QuotaInUse[]> => {
    const readIfOffered = async () => ((await isOffered(openstack, services, service)) ? await read() : {});
    const quotas = Object.entries(
      (await parts.read<Record<string, QuotaValue>>(service, readIfOffered)) ?? {},
    );
    return quotas.map(([quota, { limit, in_use }]) => ({ service, quota, limit, inUse: in_use }));
  };
  const found = await Promise.all([
    part('compute', () => compute.quotas.get(projectId)),
    part('compute', async () => {
      const records = await readGpuRecords(projectId);
      const query = { all_tenants: 1, project_id: projectId } as const;
      const quotas = await presentGpuQuotas(records, () => listServerGpus(openstack, gpu, query));
      return Object.fromEntries(Object.entries(quotas).map(([type, quota]) => [`gpu:${type}`, quota]));
    }),
    part('blockStorage', () => blockStorage.quotas.get(projectId)),
    part('network', () => network.quotas.getUsage(projectId)),
    part('sharedFileSystem', () => sharedFileSystem.quotas.getUsage(projectId)),
    part('loadBalancer', () => loadBalancer.quotas.getUsage(projectId, { onlyLimited: true })),
  ]);
  return { quotas: found.flat(), unavailable: parts.unavailable };
}
