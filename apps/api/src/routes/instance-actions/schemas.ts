import { oneOf, type ShapeType, shape } from '@gateway/core/shapes';
import Joi from 'joi';

export const actionShape = shape('InstanceAction', {
  status: oneOf(['starting', 'stopping', 'rebooting']),
});

export type ActionResult = ShapeType<typeof actionShape>;

export interface RebootBody {
  type: 'soft' | 'hard';
}

export const rebootBody = Joi.object<RebootBody, true>({
  type: Joi.string().valid('soft', 'hard').default('soft'),
})
  .optional()
  .meta({ name: 'RebootInstance', example: () => ({ type: 'soft' }) });
