import Joi from 'joi';
import { descriptionField, idField, nameField } from '../../http/schemas/fields.ts';

export interface CreateSnapshotBody {
  name: string;
  volume_id: string;
  description?: string;
  force: boolean;
}

export const createSnapshotBody = Joi.object<CreateSnapshotBody, true>({
  name: nameField().required(),
  volume_id: idField().required(),
  description: descriptionField(),
  force: Joi.boolean().default(false).description('Also take a snapshot of a volume that is in use.'),
})
  .required()
  .meta({ name: 'CreateSnapshot' });
