import Joi from 'joi';
import { shape } from '../../http/schemas/fields.ts';

export const actionShape = shape('InstanceAction', {
  status: Joi.string().valid('starting', 'stopping', 'rebooting'),
});
