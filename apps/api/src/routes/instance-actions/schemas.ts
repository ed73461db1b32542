import { oneOf, shapeLike } from '@gateway/core/shapes';
import Joi from 'joi';

export interface ActionResult {
  status: 'starting' | 'stopping' | 'rebooting';
}

export const actionShape = shapeLike<ActionResult>('InstanceAction', {
  status: oneOf(['starting', 'stopping', 'rebooting']),
});

export interface RebootBody {
  type: 'soft' | 'hard';
}

export const rebootBody = Joi.object<RebootBody, true>({
  type: Joi.string().valid('soft', 'hard').default('soft'),
})
  .optional()
  .meta({ name: 'RebootInstance', example: () => ({ type: 'soft' }) });
