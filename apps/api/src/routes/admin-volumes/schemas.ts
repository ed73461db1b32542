import type { Volume } from '@gateway/views';
import Joi from 'joi';
import { descriptionField, nameField, shape, text, volumeSizeField } from '../../http/schemas/fields.ts';

export interface UpdateVolumeBody {
  name?: string;
  description?: string;
}

export interface ExtendVolumeBody {
  new_size: number;
}

export type UpdatedVolume = Pick<Volume, 'id' | 'name' | 'status' | 'size'>;

type ResetState = 'available' | 'in-use' | 'error';

export interface ResetStatusBody {
  status: ResetState;
}

export const updateVolumeBody = Joi.object<UpdateVolumeBody, true>({
  name: nameField(),
  description: descriptionField(),
})
  .required()
  .meta({ name: 'UpdateVolume', example: () => ({ name: 'data' }) });

export const extendVolumeBody = Joi.object<ExtendVolumeBody, true>({
  new_size: volumeSizeField().required().description('GB; larger than the volume is.'),
})
  .required()
  .meta({ name: 'ExtendVolume' });

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

export const extendedVolumeShape = shape<{ status: 'extending' }>('ExtendedVolume', {
  status: Joi.string().valid('extending'),
});

export const resetVolumeShape = shape<ResetStatusBody>(
  'ResetVolume',
  {
    status: Joi.string().valid('available', 'in-use', 'error'),
  },
  () => ({ status: 'available' }),
);
