import type { QuotaUsage, SharedFileSystemLimits } from '@gateway/openstack';

export interface QuotaValue {
  /** -1 is unlimited. */
  limit: number;
  in_use: number;
}

export interface FileStorageQuota {
  gigabytes: QuotaValue;
  shares: QuotaValue;
  snapshots: QuotaValue;
  share_networks: QuotaValue;
}

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
