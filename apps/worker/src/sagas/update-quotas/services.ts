import { type NewQuotaLimits, type QuotaServiceName, quotaLimits } from '@gateway/jobs';
import type { BoundClient, QuotaUsage } from '@gateway/openstack';

type Limits = Record<string, number>;

/** The part of an update that concerns one service. */
interface QuotaService {
  read(client: BoundClient, projectId: string): Promise<Record<string, QuotaUsage>>;
  /** @param options.force accepts limits below the usage, which some services refuse otherwise */
  write(client: BoundClient, projectId: string, limits: Limits, options: { force?: boolean }): Promise<void>;
}

export const quotaServices: Record<QuotaServiceName, QuotaService> = {
  compute: {
    read: async ({ compute }, projectId) => ({ ...(await compute.quotas.get(projectId)) }),
    write: ({ compute }, projectId, limits, options) => compute.quotas.update(projectId, limits, options),
  },
  storage: {
    read: async ({ blockStorage }, projectId) => ({ ...(await blockStorage.quotas.get(projectId)) }),
    write: ({ blockStorage }, projectId, limits) => blockStorage.quotas.update(projectId, limits),
  },
  network: {
    read: ({ network }, projectId) => network.quotas.getUsage(projectId),
    write: ({ network }, projectId, limits) => network.quotas.update(projectId, limits),
  },
  'file-storage': {
    read: ({ sharedFileSystem }, projectId) => sharedFileSystem.quotas.getUsage(projectId),
    write: ({ sharedFileSystem }, projectId, limits, options) =>
      sharedFileSystem.quotas.update(projectId, limits, options),
  },
  'load-balancer': {
    read: ({ loadBalancer }, projectId) => loadBalancer.quotas.getUsage(projectId),
    write: ({ loadBalancer }, projectId, limits) => loadBalancer.quotas.update(projectId, limits),
  },
};

/** Those of the limits that the service has. */
export function limitsIn(name: QuotaServiceName, limits: NewQuotaLimits): Limits {
  const names: readonly string[] = quotaLimits[name];
  return Object.fromEntries(Object.entries(limits).filter(([limit]) => names.includes(limit)));
}
