import type { Volume } from '@gateway/resources';
import Joi from 'joi';
import { shape, text } from '../../http/schemas/fields.ts';

export type UpdatedVolume = Pick<Volume, 'id' | 'name' | 'status' | 'size'>;

type ResetState = 'available' | 'in-use' | 'error';

export interface ResetStatusBody {
  status: ResetState;
}

export const resetStatusBody = Joi.object<ResetStatusBody, true>({
  status: Joi.string().valid('available', 'in-use', 'error').default('available'),
})
  .optional()
  .meta({ name: 'ResetVolumeStatus' });

export const updatedVolumeShape = shape<UpdatedVolume>(
  'UpdatedVolume',
  {
    id: Joi.string(),
    name: text(),
    status: Joi.string(),
    size: Joi.number().integer().description('GB.'),
  },
  () => ({ status: 'available' }),
);

export const resetVolumeShape = shape<ResetStatusBody>(
  'ResetVolume',
  {
    status: Joi.string().valid('available', 'in-use', 'error'),
  },
  () => ({ status: 'available' }),
);
