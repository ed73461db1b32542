import Joi from 'joi';
import { nameField } from '../../http/schemas/fields.ts';

export interface UpdatePortBody {
  name?: string;
}

export const updatePortBody = Joi.object<UpdatePortBody, true>({ name: nameField() })
  .required()
  .meta({ name: 'UpdatePort', example: () => ({ name: 'web-1' }) });
