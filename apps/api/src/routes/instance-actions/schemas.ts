import Joi from 'joi';
import { shape } from '../../http/schemas/fields.ts';

export interface ActionResult {
  status: 'starting' | 'stopping' | 'rebooting';
}

export const actionShape = shape<ActionResult>('InstanceAction', {
  status: Joi.string().valid('starting', 'stopping', 'rebooting'),
});
