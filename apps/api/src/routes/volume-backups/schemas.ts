import {
  flag,
  id,
  idOrEmpty,
  integer,
  nonEmptyText,
  oneOf,
  part,
  shapeLike,
  text,
  timestamp,
} from '@gateway/core/shapes';
import type { Backup } from '@gateway/resources';
import Joi from 'joi';
import { descriptionField, idField, nameField } from '../../http/schemas/fields.ts';

export interface CreateBackupBody {
  name: string;
  volume_id: string;
  description?: string;
  force: boolean;
}

export interface RestoreBackupBody {
  name?: string;
  volume_id?: string;
}

export const createBackupBody = Joi.object<CreateBackupBody, true>({
  name: nameField().required(),
  volume_id: idField().required(),
  description: descriptionField(),
  force: Joi.boolean().default(false).description('Also back up a volume that is in use.'),
})
  .required()
  .meta({ name: 'CreateBackup' });

export const restoreBackupBody = Joi.object<RestoreBackupBody, true>({
  name: nameField().description('Name of the new volume; that of the backup by default.'),
  volume_id: idField().description('An available volume, which is overwritten, instead of a new one.'),
})
  .optional()
  .meta({ name: 'RestoreBackup', example: () => ({ name: 'data, restored' }) });

export const backupShape = shapeLike<Backup>('Backup', {
  id: id('backup'),
  name: text('nightly'),
  description: text(''),
  status: nonEmptyText('available').describe(
    'As in the block storage service: `creating`, `available`, `restoring`, `error`, …',
  ),
  size: integer(10).describe('GB.'),
  volume_id: idOrEmpty('volume'),
  volume_name: text('data').nullable().describe('Null once the volume is deleted.'),
  is_incremental: flag(false),
  created_at: timestamp().nullable(),
});

export interface CreatedBackup extends Pick<Backup, 'id' | 'name' | 'volume_id'> {
  status: 'creating';
}

export const createdBackupShape = shapeLike<CreatedBackup>('CreatedBackup', {
  id: id('backup'),
  name: text('nightly'),
  status: oneOf(['creating']),
  volume_id: id('volume'),
});

export interface RestoredBackup {
  restore: { backup_id: string; volume_id: string; volume_name: string };
}

export const restoredBackupShape = shapeLike<RestoredBackup>('RestoredBackup', {
  restore: part({
    backup_id: idOrEmpty('backup'),
    volume_id: id('volume').describe('The volume, which is `restoring-backup` or `creating` until its end.'),
    volume_name: text('data'),
  }),
});
