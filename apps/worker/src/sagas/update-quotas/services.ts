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

const only = (names: readonly (keyof NewQuotaLimits)[]) => (limits: NewQuotaLimits) =>
  Object.fromEntries(Object.entries(limits).filter(([name]) => (names as readonly string[]).includes(name)));

/** By the part of the name of their steps. */
export const quotaServices = {
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
  network: {
    limitsIn: only([
      'networks',
      'subnets',
      'ports',
      'routers',
      'floating_ips',
      'security_groups',
      'security_group_rules',
    ]),
    read: ({ network }, projectId) => network.quotas.getUsage(projectId),
    write: ({ network }, projectId, limits) => network.quotas.update(projectId, limits),
  },
  'file-storage': {
    limitsIn: only([
      'shares',
      'share_gigabytes',
      'share_snapshots',
      'share_snapshot_gigabytes',
      'share_networks',
    ]),
    read: ({ sharedFileSystem }, projectId) => sharedFileSystem.quotas.getUsage(projectId),
    write: ({ sharedFileSystem }, projectId, limits, options) =>
      sharedFileSystem.quotas.update(projectId, limits, options),
  },
  'load-balancer': {
    limitsIn: only(['load_balancers', 'listeners', 'pools', 'members', 'health_monitors']),
    read: ({ loadBalancer }, projectId) => loadBalancer.quotas.getUsage(projectId),
    write: ({ loadBalancer }, projectId, limits) => loadBalancer.quotas.update(projectId, limits),
  },
} satisfies Record<string, QuotaService>;
