import { id, idOrEmpty, oneOf, part, type ShapeType, shape, text } from '@gateway/core/shapes';
import {
  addNames,
  type Backup,
  backupActions,
  presentBackup,
  volumeActions,
  volumeNames,
  withNames,
} from '@gateway/resources';
import { followResourceJob } from '../../flows/follow-resource-job.ts';
import { sourcesOf } from '../../pipeline/cached-list.ts';
import type { RequestContext } from '../../pipeline/request-context.ts';
import { createOnce } from '../../resources/create-once.ts';
import { getOwnBackup, getOwnVolume } from '../../resources/own-records.ts';
import { requireAction } from '../../resources/require-action.ts';
import { withStateInRefusal } from '../../resources/with-state-in-refusal.ts';
import { restoreAsNewVolume, restoreIntoVolume } from './restore.ts';
import type { CreateBackupBody, RestoreBackupBody } from './schemas.ts';

export const createdBackupShape = shape('CreatedBackup', {
  id: id('backup'),
  name: text('nightly'),
  status: oneOf(['creating']),
  volume_id: id('volume'),
});

type CreatedBackup = ShapeType<typeof createdBackupShape>;

export const restoredBackupShape = shape('RestoredBackup', {
  restore: part({
    backup_id: idOrEmpty('backup'),
    volume_id: id('volume').describe('The volume, which is `restoring-backup` or `creating` until its end.'),
    volume_name: text('data'),
  }),
});

type RestoredBackup = ShapeType<typeof restoredBackupShape>;

type BackupRequest = RequestContext<{ backup_id: string }>;
type RestoreRequest = RequestContext<{ backup_id: string }, unknown, RestoreBackupBody | undefined>;
type CreateRequest = RequestContext<unknown, unknown, CreateBackupBody>;

export async function listBackups(request: RequestContext): Promise<Backup[]> {
  const backups = await request.openstack.blockStorage.backups.list();
  const sources = sourcesOf(request);
  const rows = backups.map((backup) => presentBackup(backup, sources));
  return addNames(sources, rows, { volume_id: volumeNames.project });
}

export async function getBackup(request: BackupRequest) {
  const record = await getOwnBackup(request, request.params.backup_id);
  const sources = sourcesOf(request);
  return withNames(sources, presentBackup(record, sources), { volume_id: volumeNames.project });
}

export async function createBackup(request: CreateRequest): Promise<CreatedBackup> {
  const { body, openstack } = request;
  const { backups } = openstack.blockStorage;
  const volume = await getOwnVolume(request, body.volume_id);
  const { id, name } = await withStateInRefusal({
    failure: volumeActions.create_backup.refusal,
    write: () =>
      createOnce(request, {
        service: 'blockStorage',
        create: (metadata) => {
          // An earlier request of the same key may have begun the backup, which shows in the volume's state.
          requireAction(request, volumeActions.create_backup, volume);
          return backups.create({ ...body, metadata });
        },
        list: () => backups.list({ name: body.name }),
      }),
    read: () => getOwnVolume(request, body.volume_id),
  });
  return { id, name, status: 'creating', volume_id: body.volume_id };
}

export function createBackupAsync(request: CreateRequest) {
  const { description = null, force, name, volume_id } = request.body;
  const wanted = { name, volumeId: volume_id, description, force };
  return followResourceJob(request, 'backup.create', wanted, { resourceName: name });
}

export function restoreBackupAsync(request: RestoreRequest) {
  const { name = null, volume_id: volumeId = null } = request.body ?? {};
  const wanted = { backupId: request.params.backup_id, name, volumeId };
  return followResourceJob(request, 'backup.restore', wanted, {
    ...(volumeId !== null && { resourceId: volumeId }),
    ...(volumeId === null && name !== null && { resourceName: name }),
  });
}

export async function restoreBackup(request: RestoreRequest): Promise<RestoredBackup> {
  const { name, volume_id: targetId } = request.body ?? {};
  const backup = await getOwnBackup(request, request.params.backup_id);
  requireAction(request, backupActions.restore, backup);
  const { backup_id, volume_id, volume_name } =
    targetId === undefined
      ? await restoreAsNewVolume(request, backup, name)
      : await restoreIntoVolume(request, backup, targetId);
  return { restore: { backup_id, volume_id, volume_name } };
}

export async function deleteBackup(request: BackupRequest): Promise<void> {
  const { backup_id } = request.params;
  requireAction(request, backupActions.delete, await getOwnBackup(request, backup_id));
  await withStateInRefusal({
    failure: backupActions.delete.refusal,
    write: () => request.openstack.blockStorage.backups.remove(backup_id),
    read: () => getOwnBackup(request, backup_id),
  });
}
