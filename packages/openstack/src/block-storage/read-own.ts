import { notFound } from '@gateway/core';
import { isNotFound, UpstreamError } from '../errors/index.ts';
import type { BackupRecord, Backups } from './backups.ts';
import type { SnapshotRecord, Snapshots } from './snapshots.ts';
import type { VolumeRecord, Volumes } from './volumes.ts';

/**
 * Reads of what the body of a request names. Administrators see the resources of all projects, so the project
 * is compared as well. All throw 404, with the id, for what is not in the project.
 */

export async function readOwnBackup(
  { backups }: { readonly backups: Pick<Backups, 'get'> },
  projectId: string,
  id: string,
): Promise<BackupRecord> {
  const backup = await readNamed(backups.get(id), `Backup ${id}`);
  return inProject(backup, backup['os-backup-project-attr:project_id'], projectId, `Backup ${id}`);
}

export async function readOwnSnapshot(
  { snapshots }: { readonly snapshots: Pick<Snapshots, 'get'> },
  projectId: string,
  id: string,
): Promise<SnapshotRecord> {
  const snapshot = await readNamed(snapshots.get(id), `Snapshot ${id}`);
  const owner = snapshot['os-extended-snapshot-attributes:project_id'];
  return inProject(snapshot, owner, projectId, `Snapshot ${id}`);
}

export async function readOwnVolume(
  { volumes }: { readonly volumes: Pick<Volumes, 'get'> },
  projectId: string,
  id: string,
): Promise<VolumeRecord> {
  const volume = await readNamed(volumes.get(id), `Volume ${id}`);
  return inProject(volume, volume['os-vol-tenant-attr:tenant_id'], projectId, `Volume ${id}`);
}

/** Services answer 404 or 400 for an id that cannot be one of theirs. */
export async function readNamed<T>(read: Promise<T>, what: string): Promise<T> {
  try {
    return await read;
  } catch (error) {
    const isUnknown = isNotFound(error) || (error instanceof UpstreamError && error.status === 400);
    throw isUnknown ? notFound(`${what} was not found.`, { cause: error }) : error;
  }
}

/** The project of a backup is shown to administrators only, who alone see those of others. */
function inProject<T>(record: T, owner: string | undefined, projectId: string, what: string): T {
  if ((owner ?? projectId) !== projectId) throw notFound(`${what} was not found.`);
  return record;
}
