import { overLimit } from '../common/service-error.ts';
import type { BlockStorageState } from './state.ts';

export type Limits = Record<string, number>;

export function volumeLimits(storage: BlockStorageState, projectId: string): Limits {
  const limits: Limits = {
    volumes: 10,
    per_volume_gigabytes: -1,
    snapshots: 10,
    gigabytes: 1000,
    backups: 10,
    backup_gigabytes: 1000,
  };
  for (const { name } of storage.types.values())
    for (const resource of ['volumes', 'gigabytes', 'snapshots']) limits[`${resource}_${name}`] = -1;
  limits.groups = 10;
  return { ...limits, ...storage.quotas.get(projectId) };
}

export function volumeUsage(storage: BlockStorageState, projectId: string): Limits {
  const usage: Limits = { volumes: 0, gigabytes: 0, snapshots: 0 };
  const count = (key: string, by: number) => {
    usage[key] = (usage[key] ?? 0) + by;
  };
  for (const volume of storage.volumes.values()) {
    if (volume.projectId !== projectId) continue;
    for (const suffix of ['', `_${volume.type}`]) {
      count(`volumes${suffix}`, 1);
      count(`gigabytes${suffix}`, volume.sizeGb);
    }
  }
  for (const snapshot of storage.snapshots.values()) {
    if (snapshot.projectId !== projectId) continue;
    count('snapshots', 1);
    count('gigabytes', snapshot.sizeGb);
  }
  return usage;
}

/** @throws 413 when the project would exceed its limits. Sizes are GiB. */
export function requireVolumeQuota(
  storage: BlockStorageState,
  projectId: string,
  requested: { volumes?: number; snapshots?: number; gigabytes: number },
): void {
  const limits = volumeLimits(storage, projectId);
  const usage = volumeUsage(storage, projectId);
  const exceeded = (key: string, by: number) => {
    const limit = limits[key] ?? -1;
    return by > 0 && limit >= 0 && (usage[key] ?? 0) + by > limit;
  };
  if (exceeded('gigabytes', requested.gigabytes))
    throw overLimit(
      `VolumeSizeExceedsAvailableQuota: Requested volume or snapshot exceeds allowed gigabytes quota. Requested ${requested.gigabytes}G, quota is ${limits.gigabytes}G and ${usage.gigabytes}G has been consumed.`,
    );
  if (exceeded('volumes', requested.volumes ?? 0))
    throw overLimit(
      `VolumeLimitExceeded: Maximum number of volumes allowed (${limits.volumes}) exceeded for quota 'volumes'.`,
    );
  if (exceeded('snapshots', requested.snapshots ?? 0))
    throw overLimit(
      `SnapshotLimitExceeded: Maximum number of snapshots allowed (${limits.snapshots}) exceeded for quota 'snapshots'.`,
    );
}
