import { notFound } from '@gateway/core';
import type { BackupRecord } from '@gateway/openstack';
import type { ProjectReader } from '../../resources/own-volume.ts';

const PROJECT = 'os-backup-project-attr:project_id';

/**
 * Administrators' tokens reach backups of all projects, and only administrators see a backup's project.
 * Throws 404 for a backup of another project.
 */
export async function getOwnBackup(
  { caller, openstack }: ProjectReader,
  backupId: string,
): Promise<BackupRecord> {
  const backup = await openstack.blockStorage.backups.get(backupId);
  const { projectId } = caller.identity;
  if ((backup[PROJECT] ?? projectId) === projectId) return backup;
  throw notFound('There is no such backup in this project.');
}
