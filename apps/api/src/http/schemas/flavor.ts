import type { Flavor } from '@gateway/resources';
import Joi from 'joi';
import { type FieldsOf, text } from './fields.ts';

/** The fields of a flavor that everybody sees. */
export const flavorFields: FieldsOf<Flavor> = {
  id: Joi.string(),
  name: text(),
  vcpus: Joi.number().integer(),
  ram: Joi.number().integer().description('MB.'),
  disk: Joi.number().integer().description('GB.'),
  is_public: Joi.boolean(),
  extra_specs: Joi.object().pattern(Joi.string(), Joi.string().allow('')),
  is_gpu: Joi.boolean(),
  gpu_count: Joi.number().integer().description('0 for a flavor without GPU.'),
};
