import Joi from 'joi';
import { nameField } from '../../http/schemas/fields.ts';

export interface CreateImageBody {
  name: string;
}

export const createImageBody = Joi.object<CreateImageBody, true>({ name: nameField().required() })
  .required()
  .meta({ name: 'CreateInstanceImage', example: () => ({ name: 'web server, configured' }) });
