import type { Backup } from '@gateway/resources';
import Joi from 'joi';
import {
  descriptionField,
  idField,
  nameField,
  nullableText,
  part,
  shape,
  text,
  timestamp,
} from '../../http/schemas/fields.ts';

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

export const backupShape = shape<Backup>(
  'Backup',
  {
    id: Joi.string(),
    name: text(),
    description: text(),
    status: Joi.string().description(
      'As in the block storage service: `creating`, `available`, `restoring`, `error`, …',
    ),
    size: Joi.number().integer().description('GB.'),
    volume_id: text(),
    volume_name: nullableText().description('Null once the volume is deleted.'),
    is_incremental: Joi.boolean(),
    created_at: timestamp().allow(null),
  },
  () => ({ status: 'available' }),
);

export interface CreatedBackup extends Pick<Backup, 'id' | 'name' | 'volume_id'> {
  status: 'creating';
}

export const createdBackupShape = shape<CreatedBackup>(
  'CreatedBackup',
  {
    id: Joi.string(),
    name: text(),
    status: Joi.string().valid('creating'),
    volume_id: Joi.string(),
  },
  () => ({ status: 'creating' }),
);

export interface RestoredBackup {
  restore: { backup_id: string; volume_id: string; volume_name: string };
}

export const restoredBackupShape = shape<RestoredBackup>('RestoredBackup', {
  restore: part({
    backup_id: text(),
    volume_id: Joi.string().description(
      'The volume, which is `restoring-backup` or `creating` until its end.',
    ),
    volume_name: text(),
  }),
});
