import { overLimit } from '../common/service-error.ts';
import type { BlockStorageState } from './state.ts';

type Limits = Record<string, number>;

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
  const usage: Limits = { volumes: 0, gigabytes: 0, snapshots: 0, backups: 0, backup_gigabytes: 0 };
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
  for (const backup of storage.backups.values()) {
    if (backup.projectId !== projectId) continue;
    count('backups', 1);
    count('backup_gigabytes', backup.sizeGb);
  }
  return usage;
}

interface Requested {
  volumes?: number;
  snapshots?: number;
  gigabytes?: number;
  backups?: number;
  backup_gigabytes?: number;
}

/** @throws 413 when the project would exceed its limits. Sizes are GiB. */
export function requireVolumeQuota(
  storage: BlockStorageState,
  projectId: string,
  requested: Requested,
): void {
  const limits = volumeLimits(storage, projectId);
  const usage = volumeUsage(storage, projectId);
  const exceeded = (key: keyof Requested) => {
    const limit = limits[key] ?? -1;
    const by = requested[key] ?? 0;
    return by > 0 && limit >= 0 && (usage[key] ?? 0) + by > limit;
  };
  const figures = (key: keyof Requested) =>
    `Requested ${requested[key]}G, quota is ${limits[key]}G and ${usage[key]}G has been consumed.`;
  if (exceeded('gigabytes'))
    throw overLimit(
      `VolumeSizeExceedsAvailableQuota: Requested volume or snapshot exceeds allowed gigabytes quota. ${figures('gigabytes')}`,
    );
  if (exceeded('volumes'))
    throw overLimit(
      `VolumeLimitExceeded: Maximum number of volumes allowed (${limits.volumes}) exceeded for quota 'volumes'.`,
    );
  if (exceeded('snapshots'))
    throw overLimit(
      `SnapshotLimitExceeded: Maximum number of snapshots allowed (${limits.snapshots}) exceeded for quota 'snapshots'.`,
    );
  if (exceeded('backup_gigabytes'))
    throw overLimit(
      `VolumeBackupSizeExceedsAvailableQuota: Requested backup exceeds allowed Backup gigabytes quota. ${figures('backup_gigabytes')}`,
    );
  if (exceeded('backups'))
    throw overLimit(`BackupLimitExceeded: Maximum number of backups allowed (${limits.backups}) exceeded`);
}
