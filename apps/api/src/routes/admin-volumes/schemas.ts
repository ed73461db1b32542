import Joi from 'joi';

type ResetState = 'available' | 'in-use' | 'error';

export interface ResetStatusBody {
  status: ResetState;
}

export const resetStatusBody = Joi.object<ResetStatusBody, true>({
  status: Joi.string()
    .valid('available', 'in-use', 'error')
    .default('available')
    .meta({ name: 'VolumeResetStatus' }),
})
  .optional()
  .meta({ name: 'ResetVolumeStatus' });
