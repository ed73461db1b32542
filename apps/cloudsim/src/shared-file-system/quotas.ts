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
  let snapshots = 0;
  let snapshot_gigabytes = 0;
  for (const snapshot of state.snapshots.values()) {
    if (snapshot.projectId !== projectId) continue;
    snapshots += 1;
    snapshot_gigabytes += snapshot.sizeGb;
  }
  const networks = [...state.shareNetworks.values()].filter((network) => network.projectId === projectId);
  return { shares, gigabytes, snapshots, snapshot_gigabytes, share_networks: networks.length };
}

/** Whether this much more of a resource would exceed the project's limit. */
function exceeds(state: SharedFileSystemState, projectId: string, key: string, by: number): boolean {
  const limit = shareLimits(state, projectId)[key] ?? -1;
  return limit >= 0 && (shareUsage(state, projectId)[key] ?? 0) + by > limit;
}

/** @throws 413 when a snapshot of a share of this size (GiB) would exceed the project's limits. */
export function requireSnapshotQuota(state: SharedFileSystemState, projectId: string, sizeGb: number): void {
  if (exceeds(state, projectId, 'snapshot_gigabytes', sizeGb))
    throw overLimit('SnapshotSizeExceedsAvailableQuota: Requested snapshot exceeds allowed gigabytes quota.');
  if (exceeds(state, projectId, 'snapshots', 1))
    throw overLimit(
      `SnapshotLimitExceeded: Maximum number of snapshots allowed (${shareLimits(state, projectId).snapshots}) exceeded.`,
    );
}

/** @throws 413 when a share of this size (GiB) would exceed the project's limits. */
export function requireShareQuota(state: SharedFileSystemState, projectId: string, sizeGb: number): void {
  const limits = shareLimits(state, projectId);
  const largest = limits.per_share_gigabytes ?? -1;
  if (largest >= 0 && sizeGb > largest)
    throw overLimit(
      `ShareSizeExceedsLimit: Requested share size ${sizeGb} is larger than maximum allowed limit ${largest}.`,
    );
  if (exceeds(state, projectId, 'gigabytes', sizeGb))
    throw overLimit(
      'ShareSizeExceedsAvailableQuota: Requested share exceeds allowed project/user or share type gigabytes quota.',
    );
  if (exceeds(state, projectId, 'shares', 1))
    throw overLimit(
      `ShareLimitExceeded: Maximum number of shares allowed (${limits.shares}) either per project/user or share type quota is exceeded.`,
    );
}
