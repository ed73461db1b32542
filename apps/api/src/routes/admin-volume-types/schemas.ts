import Joi from 'joi';
import { extraSpecsField } from '../../http/schemas/extra-specs.ts';
import {
  descriptionField,
  existingNameField,
  idField,
  nameField,
  pathIds,
} from '../../http/schemas/fields.ts';

export interface CreateVolumeTypeBody {
  name: string;
  description?: string;
  is_public: boolean;
  extra_specs: Record<string, string>;
}

export interface UpdateVolumeTypeBody {
  name?: string;
  description?: string;
  is_public?: boolean;
}

export interface TypeAccessBody {
  project_id: string;
}

export const createVolumeTypeBody = Joi.object<CreateVolumeTypeBody, true>({
  name: nameField().required(),
  description: descriptionField(),
  is_public: Joi.boolean().strict().default(true).description('Whether every project may use it.'),
  extra_specs: extraSpecsField()
    .default({})
    .description(
      'What it asks of a storage pool, such as `volume_backend_name`, and settings of the driver.',
    ),
})
  .required()
  .meta({ name: 'CreateVolumeType', example: () => ({ name: 'fast' }) });

export const updateVolumeTypeBody = Joi.object<UpdateVolumeTypeBody, true>({
  name: nameField(),
  description: descriptionField(),
  is_public: Joi.boolean().strict(),
})
  .required()
  .meta({ name: 'UpdateVolumeType', example: () => ({ name: 'fast' }) });

export const volumeTypeParams = pathIds('volume_type_id');
export const typeSpecParams = Joi.object<{ volume_type_id: string; key: string }, true>({
  volume_type_id: idField().required(),
  key: existingNameField().required(),
});

export const typeAccessBody = Joi.object<TypeAccessBody, true>({
  project_id: idField().required(),
}).required();

export const typeAccessParams = pathIds('volume_type_id', 'project_id');
