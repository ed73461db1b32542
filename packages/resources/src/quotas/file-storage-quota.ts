import type { QuotaUsage, SharedFileSystemLimits } from '@gateway/openstack';
import type { FileStorageQuota } from './file-storage-quota-shape.ts';
import type { QuotaValue } from './quota-value.ts';

export function presentFileStorageQuota(limits: SharedFileSystemLimits): FileStorageQuota {
  return {
    gigabytes: { limit: limits.maxTotalShareGigabytes, in_use: limits.totalShareGigabytesUsed },
    shares: { limit: limits.maxTotalShares, in_use: limits.totalSharesUsed },
    snapshots: { limit: limits.maxTotalShareSnapshots, in_use: limits.totalShareSnapshotsUsed },
    share_networks: { limit: limits.maxTotalShareNetworks, in_use: limits.totalShareNetworksUsed },
  };
}

export function quotaValues<Name extends string>(quotas: Record<Name, QuotaUsage>): Record<Name, QuotaValue> {
  const entries = Object.entries<QuotaUsage>(quotas).map(([name, { limit, in_use }]) => [
    name,
    { limit, in_use },
  ]);
  return Object.fromEntries(entries) as Record<Name, QuotaValue>;
}
