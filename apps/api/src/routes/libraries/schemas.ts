import Joi from 'joi';
import { existingNameField } from '../../http/schemas/fields.ts';

export interface ValidateLibrariesBody {
  library_ids: string[];
  os_version?: string;
}

const MAX_LIBRARIES = 50;

export const validateLibrariesBody = Joi.object<ValidateLibrariesBody, true>({
  library_ids: Joi.array().items(Joi.string().max(255)).max(MAX_LIBRARIES).required(),
  os_version: existingNameField().description('The system of the image, as `ubuntu-22.04`.'),
})
  .required()
  .meta({ name: 'ValidateLibraries' });
