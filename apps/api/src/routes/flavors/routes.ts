import { flavorList } from '@gateway/views';
import Joi from 'joi';
import { shape } from '../../http/schemas/fields.ts';
import { servesList } from '../../pipeline/cached-list.ts';
import { endpoint } from '../../pipeline/endpoint.ts';

const flavorShape = shape('Flavor', {
  id: Joi.string(),
  name: Joi.string(),
  vcpus: Joi.number().integer(),
  ram: Joi.number().integer().description('MB.'),
  disk: Joi.number().integer().description('GB.'),
  is_public: Joi.boolean(),
  extra_specs: Joi.object().pattern(Joi.string(), Joi.string().allow('')),
  is_gpu: Joi.boolean(),
  gpu_count: Joi.number().integer().description('0 for a flavor without GPU.'),
});

export const flavorEndpoints = [
  endpoint({
    method: 'GET',
    path: '/api/flavors',
    tag: { name: 'flavors', description: 'Sizes of instances' },
    summary: 'Flavors the project can use',
    access: 'project',
    response: Joi.array().items(flavorShape),
    ...servesList(flavorList),
  }),
];
