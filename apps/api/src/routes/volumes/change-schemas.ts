import { oneOf, shape } from '@gateway/core/shapes';
import Joi from 'joi';
import {
  descriptionField,
  existingNameField,
  nameField,
  volumeSizeField,
} from '../../http/schemas/fields.ts';

export interface UpdateVolumeBody {
  name?: string;
  description?: string;
}

export interface ExtendVolumeBody {
  new_size: number;
}

export interface RetypeVolumeBody {
  volume_type: string;
  migration_policy: 'never' | 'on-demand';
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

export const retypeVolumeBody = Joi.object<RetypeVolumeBody, true>({
  volume_type: existingNameField().required().description('Id or name, as in `GET /api/volume-types`.'),
  migration_policy: Joi.string()
    .valid('never', 'on-demand')
    .default('never')
    .description('Whether the volume may be copied to another storage system if the type needs that.'),
})
  .required()
  .meta({ name: 'RetypeVolume' });

export const extendedVolumeShape = shape('ExtendedVolume', {
  status: oneOf(['extending']),
});

export const retypedVolumeShape = shape('RetypedVolume', {
  status: oneOf(['retyping']),
});
