import Joi from 'joi';

export interface RebootBody {
  type: 'soft' | 'hard';
}

export const rebootBody = Joi.object<RebootBody, true>({
  type: Joi.string().valid('soft', 'hard').default('soft'),
})
  .optional()
  .meta({ name: 'RebootInstance', example: () => ({ type: 'soft' }) });
