import type { NewQuotaLimits } from '@gateway/jobs';
import type { BoundClient, QuotaUsage } from '@gateway/openstack';

type Limits = Record<string, number>;

/** The part of an update that concerns one service. */
export interface QuotaService {
  limitsIn(limits: NewQuotaLimits): Limits;
  read(client: BoundClient, projectId: string): Promise<Record<string, QuotaUsage>>;
  /** @param options.force accepts limits below the usage, which some services refuse otherwise */
  write(client: BoundClient, projectId: string, limits: Limits, options: { force?: boolean }): Promise<void>;
}

const only = (names: readonly string[]) => (limits: NewQuotaLimits) =>
  Object.fromEntries(Object.entries(limits).filter(([name]) => names.includes(name)));

export const quotaServices: Record<'compute' | 'storage', QuotaService> = {
  compute: {
    limitsIn: only(['instances', 'cores', 'ram']),
    read: async ({ compute }, projectId) => ({ ...(await compute.quotas.get(projectId)) }),
    write: ({ compute }, projectId, limits, options) => compute.quotas.update(projectId, limits, options),
  },
  storage: {
    limitsIn: only(['volumes', 'gigabytes']),
    read: async ({ blockStorage }, projectId) => ({ ...(await blockStorage.quotas.get(projectId)) }),
    write: ({ blockStorage }, projectId, limits) => blockStorage.quotas.update(projectId, limits),
  },
};
