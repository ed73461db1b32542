import { overLimit } from '../common/service-error.ts';
import type { SharedFileSystemState } from './state.ts';

export function shareLimits(state: SharedFileSystemState, projectId: string): Record<string, number> {
  return {
    shares: 50,
    gigabytes: 1000,
    snapshots: 50,
    snapshot_gigabytes: 1000,
    share_networks: 10,
    share_groups: 50,
    share_group_snapshots: 50,
    share_replicas: 100,
    replica_gigabytes: 1000,
    per_share_gigabytes: -1,
    ...state.quotas.get(projectId),
  };
}

export function shareUsage(state: SharedFileSystemState, projectId: string): Record<string, number> {
  let shares = 0;
  let gigabytes = 0;
  for (const share of state.shares.values()) {
    if (share.projectId !== projectId) continue;
    shares += 1;
    gigabytes += share.sizeGb;
  }
  return { shares, gigabytes };
}

/** @throws 413 when a share of this size (GiB) would exceed the project's limits. */
export function requireShareQuota(state: SharedFileSystemState, projectId: string, sizeGb: number): void {
  const limits = shareLimits(state, projectId);
  const usage = shareUsage(state, projectId);
  const exceeded = (key: string, by: number) =>
    (limits[key] ?? -1) >= 0 && (usage[key] ?? 0) + by > (limits[key] ?? 0);
  if (exceeded('gigabytes', sizeGb))
    throw overLimit(
      'ShareSizeExceedsAvailableQuota: Requested share exceeds allowed project/user or share type gigabytes quota.',
    );
  if (exceeded('shares', 1))
    throw overLimit(
      `ShareLimitExceeded: Maximum number of shares allowed (${limits.shares}) either per project/user or share type quota is exceeded.`,
    );
}
