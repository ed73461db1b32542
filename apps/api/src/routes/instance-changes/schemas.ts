import Joi from 'joi';
import { descriptionField } from '../../http/schemas/fields.ts';
import { instanceNameField } from '../instances/schemas.ts';

export interface UpdateInstanceBody {
  name?: string;
}

export interface LockBody {
  reason?: string;
}

export const updateInstanceBody = Joi.object<UpdateInstanceBody, true>({ name: instanceNameField() })
  .required()
  .meta({ name: 'UpdateInstance', example: () => ({ name: 'web-1' }) });

export const lockBody = Joi.object<LockBody, true>({
  reason: descriptionField().description('Shown with the instance.'),
})
  .optional()
  .meta({ name: 'LockInstance', example: () => ({ reason: 'In production' }) });
