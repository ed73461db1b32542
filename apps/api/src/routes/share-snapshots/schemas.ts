import Joi from 'joi';
import { descriptionField, idField, nameField } from '../../http/schemas/fields.ts';

export interface CreateShareSnapshotBody {
  name: string;
  file_storage_id: string;
  description?: string;
}

export const createShareSnapshotBody = Joi.object<CreateShareSnapshotBody, true>({
  name: nameField().required(),
  file_storage_id: idField().required(),
  description: descriptionField(),
})
  .required()
  .meta({ name: 'CreateShareSnapshot' });
