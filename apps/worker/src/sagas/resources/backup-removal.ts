import { type BackupRecord, nullIfNotFound, waitForGone } from '@gateway/openstack';
import type { RemovalOptions, RemovalRights } from './removal.ts';

/**
 * Deletes a backup and waits until it is gone. Fails while the backup is being created, because the service
 * refuses the deletion.
 */
export async function removeBackup(
  rights: RemovalRights,
  id: string,
  options: RemovalOptions,
): Promise<void> {
  const { backups } = rights.remover().blockStorage;
  const backup = await nullIfNotFound(backups.get(id));
  if (backup === null) return;
  if (backup.status !== 'deleting') await beginBackupRemoval(rights, backup);
  await waitForGone(
    () => backups.get(id),
    ({ status }) => status,
    { ...options, describe: 'The backup', failedStates: ['error_deleting'] },
  );
}

/** Deletes a backup without a wait. The service refuses an ordinary delete after a failed one. */
export async function beginBackupRemoval(
  { forcer, remover }: RemovalRights,
  { id, status }: Pick<BackupRecord, 'id' | 'status'>,
): Promise<void> {
  const force = status === 'error_deleting' ? await forcer() : null;
  const { backups } = (force ?? remover()).blockStorage;
  await nullIfNotFound(force === null ? backups.remove(id) : backups.forceDelete(id));
}
