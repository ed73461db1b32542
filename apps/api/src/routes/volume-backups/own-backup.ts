import { notFound } from '@gateway/core';
import type { BackupRecord } from '@gateway/openstack';
import type { ProjectReader } from '../../resources/own-volume.ts';

/** Administrators' tokens reach backups of all projects. Throws 404 for a backup of another project. */
export async function getOwnBackup(
  { caller, openstack }: ProjectReader,
  backupId: string,
): Promise<BackupRecord> {
  const { backups } = openstack.blockStorage;
  const backup = await backups.get(backupId);
  if (await backups.belongsTo(caller.identity.projectId, backup)) return backup;
  throw notFound('There is no such backup in this project.');
}
