import { notFound } from '@gateway/core';
import { isNotFound, UpstreamError } from '../errors/index.ts';
import type { BackupRecord } from './backups.ts';
import type { SnapshotRecord } from './snapshots.ts';
import type { VolumeRecord } from './volumes.ts';

/**
 * Reads of what the body of a request names. Administrators see the resources of all projects, so the project
 * is compared as well. All throw 404, with the id, for what is not in the project.
 */

export function readOwnBackup(
  { backups }: { readonly backups: Owned<BackupRecord> },
  projectId: string,
  id: string,
): Promise<BackupRecord> {
  return readOwn(backups, projectId, id, `Backup ${id}`);
}

export function readOwnSnapshot(
  { snapshots }: { readonly snapshots: Owned<SnapshotRecord> },
  projectId: string,
  id: string,
): Promise<SnapshotRecord> {
  return readOwn(snapshots, projectId, id, `Snapshot ${id}`);
}

export function readOwnVolume(
  { volumes }: { readonly volumes: Owned<VolumeRecord> },
  projectId: string,
  id: string,
): Promise<VolumeRecord> {
  return readOwn(volumes, projectId, id, `Volume ${id}`);
}

/** Resources of which an administrator reads those of all projects. */
export interface Owned<T> {
  get(id: string): Promise<T>;
  belongsTo(projectId: string, record: T): Promise<boolean>;
}

async function readOwn<T>(collection: Owned<T>, projectId: string, id: string, what: string): Promise<T> {
  const record = await readNamed(collection.get(id), what);
  if (!(await collection.belongsTo(projectId, record))) throw notFound(`${what} was not found.`);
  return record;
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
