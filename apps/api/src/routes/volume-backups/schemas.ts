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
