import Joi from 'joi';
import { shape } from '../../http/schemas/fields.ts';

export interface ActionResult {
  status: 'starting' | 'stopping' | 'rebooting';
}

export const actionShape = shape<ActionResult>('InstanceAction', {
  status: Joi.string().valid('starting', 'stopping', 'rebooting'),
});

export interface RebootBody {
  type: 'soft' | 'hard';
}

export const rebootBody = Joi.object<RebootBody, true>({
  type: Joi.string().valid('soft', 'hard').default('soft'),
})
  .optional()
  .meta({ name: 'RebootInstance', example: () => ({ type: 'soft' }) });
