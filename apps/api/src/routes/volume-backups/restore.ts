import { type BackupRecord, type RestoredBackup, typeOfBackup } from '@gateway/openstack';
import type { RequestContext } from '../../pipeline/request-context.ts';
import { createOnce } from '../../resources/create-once.ts';
import { getOwnBackup, getOwnVolume, type ProjectReader } from '../../resources/own-records.ts';
import { withStateInRefusal } from '../../resources/with-state-in-refusal.ts';

/**
 * Overwrites a volume of the project with the backup. The service refuses one that is attached or too small,
 * but notices a type that does not fit only when the content is gone.
 *
 * @throws 409 for a volume that cannot take the backup
 */
export async function restoreIntoVolume(
  reader: ProjectReader,
  backup: BackupRecord,
  volumeId: string,
): Promise<RestoredBackup> {
  await typeOfBackup(reader.openstack, backup, await getOwnVolume(reader, volumeId));
  return withStateInRefusal({
    failure: 'The volume cannot be overwritten',
    write: () => reader.openstack.blockStorage.backups.restore(backup.id, { volume_id: volumeId }),
    read: () => getOwnVolume(reader, volumeId),
  });
}

/**
 * Creates a volume from the backup. Unlike a restore without a target, the service responds before the volume
 * exists on its storage, so no slow storage can make this request time out.
 */
export async function restoreAsNewVolume(
  request: RequestContext,
  backup: BackupRecord,
  name = backup.name || `restore_backup_${backup.id}`,
): Promise<RestoredBackup> {
  const { volumes } = request.openstack.blockStorage;
  const type = await typeOfBackup(request.openstack, backup, null);
  const volume = await withStateInRefusal({
    failure: 'The backup cannot be restored',
    write: () =>
      createOnce(request, {
        service: 'blockStorage',
        create: (metadata) =>
          volumes.create({
            name,
            size: backup.size,
            backup_id: backup.id,
            metadata,
            ...(type !== null && { volume_type: type }),
          }),
        list: () => volumes.listByName(name),
      }),
    read: () => getOwnBackup(request, backup.id),
  });
  return { backup_id: backup.id, volume_id: volume.id, volume_name: volume.name };
}
