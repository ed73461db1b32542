import { nullIfNotFound, type ProjectClient, waitForGone } from '@gateway/openstack';
import type { RemovalOptions } from './removal.ts';

/** Deletes a backup and waits until it is gone. Fails while the backup is being created: the service refuses to delete it. */
export async function removeBackup(
  { blockStorage }: ProjectClient,
  id: string,
  options: RemovalOptions,
): Promise<void> {
  const { backups } = blockStorage;
  const backup = await nullIfNotFound(backups.get(id));
  if (backup === null) return;
  if (backup.status !== 'deleting') await nullIfNotFound(backups.remove(id));
  await waitForGone(
    () => backups.get(id),
    ({ status }) => status,
    { ...options, describe: 'The backup', failedStates: ['error_deleting'] },
  );
}
