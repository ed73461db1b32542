import { id, integer, nonEmptyText, oneOf, shapeLike, text } from '@gateway/core/shapes';
import type { Volume } from '@gateway/resources';
import Joi from 'joi';

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

export const updatedVolumeShape = shapeLike<UpdatedVolume>('UpdatedVolume', {
  id: id('volume'),
  name: text('data'),
  status: nonEmptyText('available'),
  size: integer(10).describe('GB.'),
});

export const resetVolumeShape = shapeLike<ResetStatusBody>('ResetVolume', {
  status: oneOf(['available', 'in-use', 'error']),
});
