import { booleanAt, type JsonObject, stringAt } from '../common/json.ts';
import { badRequest } from '../common/service-error.ts';
import { microseconds } from '../common/timestamps.ts';
import { selfAndBookmark } from '../http/links.ts';
import type { Caller } from '../http/operation.ts';
import { findOwned } from '../http/policy.ts';
import type { BlockStorageCall, BlockStorageCloud } from './cloud.ts';
import { newCopy, sourceVolume } from './copies.ts';
import { requireVolumeQuota } from './quotas.ts';
import { missing } from './refusals.ts';
import type { Backup, Volume } from './state.ts';
import { createVolume, findVolume, setStatus } from './volumes.ts';

const CREATE_MS = 400;
const RESTORE_MS = 400;
const DELETE_MS = 300;

export function findBackup(cloud: BlockStorageCloud, caller: Caller, id: string): Backup {
  return findOwned(cloud.blockStorage.backups, caller, id, missing('Backup'));
}

export function createBackup(cloud: BlockStorageCloud, caller: Caller, input: JsonObject): Backup {
  const volume = sourceVolume(cloud, caller, 'backup', input);
  requireBackupState(volume, booleanAt(input, 'force', false));
  requireVolumeQuota(cloud.blockStorage, caller.projectId, {
    backups: 1,
    backup_gigabytes: volume.sizeGb,
  });
  const isIncremental = booleanAt(input, 'incremental', false);
  const parent = isIncremental ? latestBackup(cloud, caller, volume) : null;
  const { description, imageMetadata, metadata, name } = volume;
  const backup: Backup = {
    ...newCopy(cloud, caller, volume, input),
    parentId: parent?.id ?? null,
    volume: { name, description, metadata: { ...metadata }, imageMetadata },
  };
  cloud.blockStorage.backups.set(backup.id, backup);
  setStatus(cloud, volume, 'backing-up');
  cloud.schedule.after(CREATE_MS, finishBackup, volume, backup);
  return backup;
}

export function finishBackup(cloud: BlockStorageCloud, volume: Volume, backup: Backup): void {
  if (volume.status === 'backing-up') setStatus(cloud, volume, statusWithoutBackup(volume));
  if (backup.status !== 'creating') return;
  const parent = cloud.blockStorage.backups.get(backup.parentId ?? '');
  // The driver compares the blocks of both, and refuses a volume that has grown.
  setBackupStatus(cloud, backup, parent && parent.sizeGb < backup.sizeGb ? 'error' : 'available');
}

function requireBackupState({ status }: Volume, force: boolean): void {
  if (status === 'available' || (status === 'in-use' && force)) return;
  throw badRequest(
    status === 'in-use'
      ? 'Invalid volume: Backing up an in-use volume must use the force flag.'
      : `Invalid volume: Volume to be backed up must be available or in-use, but the current status is "${status}".`,
  );
}

function statusWithoutBackup({ attachments }: Volume): string {
  return attachments.length > 0 ? 'in-use' : 'available';
}

function latestBackup({ blockStorage }: BlockStorageCloud, caller: Caller, { id }: Volume): Backup {
  const latest = [...blockStorage.backups.values()].findLast(
    ({ projectId, volumeId }) => volumeId === id && projectId === caller.projectId,
  );
  if (latest === undefined)
    throw badRequest('Invalid backup: No backups available to do an incremental backup.');
  if (latest.status !== 'available')
    throw badRequest('Invalid backup: The parent backup must be available for incremental backup.');
  return latest;
}

/** Restores into an existing volume, or into a new one. */
export function restoreBackup(call: BlockStorageCall, backup: Backup, input: JsonObject): Volume {
  const { cloud, caller } = call;
  if (backup.status !== 'available') throw badRequest('Invalid backup: Backup status must be available');
  const targetId = stringAt(input, 'volume_id');
  if (targetId === undefined) {
    const name = stringAt(input, 'name') ?? `restore_backup_${backup.id}`;
    const volume = createVolume(cloud, caller, { name, size: backup.sizeGb });
    fillFromBackup(cloud, volume, backup, 'restoring-backup');
    return volume;
  }
  const volume = findVolume(cloud, caller, targetId);
  if (volume.status !== 'available')
    throw badRequest('Invalid volume: Volume to be restored to must be available');
  if (volume.sizeGb < backup.sizeGb)
    throw badRequest(
      `Invalid volume: volume size ${volume.sizeGb} is too small to restore backup of size ${backup.sizeGb}.`,
    );
  fillFromBackup(cloud, volume, backup, 'restoring-backup');
  return volume;
}

/**
 * A new volume with the content of a backup (`backup_id` of a create request). It is
 * `creating` until it is filled.
 */
export function createVolumeFromBackup({ cloud, caller }: BlockStorageCall, input: JsonObject): Volume {
  const backup = findBackup(cloud, caller, stringAt(input, 'backup_id') ?? '');
  if (backup.status !== 'available')
    throw badRequest("Invalid backup: Originating backup status must be one of 'available' values");
  const volume = createVolume(cloud, caller, { ...input, size: input.size ?? backup.sizeGb });
  fillFromBackup(cloud, volume, backup, 'creating');
  return volume;
}

function fillFromBackup(cloud: BlockStorageCloud, volume: Volume, backup: Backup, meanwhile: string): void {
  setStatus(cloud, volume, meanwhile);
  setBackupStatus(cloud, backup, 'restoring');
  cloud.schedule.after(RESTORE_MS, finishRestore, volume, backup, meanwhile);
}

export function finishRestore(
  cloud: BlockStorageCloud,
  volume: Volume,
  backup: Backup,
  meanwhile: string,
): void {
  if (volume.status === meanwhile) {
    restoreRecord(volume, backup);
    setStatus(cloud, volume, 'available');
  }
  if (backup.status === 'restoring') setBackupStatus(cloud, backup, 'available');
}

/**
 * The service replaces the metadata of the volume, unless the backup has none. It renames only a volume that
 * has no name, or the one that a restore without a name gives. In the end it notes the backup of another
 * volume, and another backup than the one that is noted.
 */
function restoreRecord(volume: Volume, { id, volume: saved, volumeId }: Backup): void {
  const { description, imageMetadata, metadata, name } = saved;
  const isUnnamed = !volume.name || volume.name.startsWith('restore_backup_');
  if (name && isUnnamed) Object.assign(volume, { name, description });
  if (Object.keys(metadata).length > 0) volume.metadata = { ...metadata };
  if (imageMetadata !== null) Object.assign(volume, { imageMetadata, bootable: true });
  const noted = volume.metadata.src_backup_id;
  if (volumeId !== volume.id || (noted !== undefined && noted !== id)) {
    volume.metadata = { ...volume.metadata, src_backup_id: id };
  }
}

export function deleteBackup(cloud: BlockStorageCloud, backup: Backup, isForced = false): void {
  if (!isForced && backup.status !== 'available' && backup.status !== 'error')
    throw badRequest('Invalid backup: Backup status must be available or error');
  if (hasDependents(cloud, backup))
    throw badRequest('Invalid backup: Incremental backups exist for this backup.');
  setBackupStatus(cloud, backup, 'deleting');
  cloud.schedule.after(DELETE_MS, finishBackupRemoval, backup.id);
}

export function finishBackupRemoval(cloud: BlockStorageCloud, backupId: string): void {
  cloud.blockStorage.backups.delete(backupId);
}

export function setBackupStatus(cloud: BlockStorageCloud, backup: Backup, status: string): void {
  backup.status = status;
  backup.updatedMs = cloud.clock.now();
}

function hasDependents(cloud: BlockStorageCloud, backup: Backup): boolean {
  return dependentsOf(cloud, backup).length > 0;
}

function dependentsOf({ blockStorage }: BlockStorageCloud, { id }: Backup): Backup[] {
  return [...blockStorage.backups.values()].filter(({ parentId }) => parentId === id);
}

/** The service counts a dependent backup once it has been created. */
function showsDependents(cloud: BlockStorageCloud, backup: Backup): boolean {
  return dependentsOf(cloud, backup).some(({ status }) => status !== 'creating' && status !== 'error');
}

export function presentBackup(backup: Backup, { base, caller, cloud, minor }: BlockStorageCall): object {
  return {
    id: backup.id,
    status: backup.status,
    size: backup.sizeGb,
    object_count: 0,
    availability_zone: null,
    container: null,
    created_at: microseconds(backup.createdMs),
    updated_at: backup.updatedMs === null ? null : microseconds(backup.updatedMs),
    name: backup.name,
    description: backup.description,
    fail_reason: null,
    volume_id: backup.volumeId,
    links: selfAndBookmark(base, `backups/${backup.id}`),
    is_incremental: backup.parentId !== null,
    has_dependent_backups: showsDependents(cloud, backup),
    snapshot_id: null,
    data_timestamp: microseconds(backup.createdMs),
    ...(minor >= 43 && { metadata: backup.metadata }),
    ...(caller.isAdmin && minor >= 18 && { 'os-backup-project-attr:project_id': backup.projectId }),
    ...(caller.isAdmin && minor >= 56 && { user_id: backup.userId }),
  };
}

/** As in the response to a create request. */
export function presentNewBackup(backup: Backup, base: string): object {
  return { id: backup.id, name: backup.name, links: selfAndBookmark(base, `backups/${backup.id}`) };
}
