import { type VolumeType, volumeTypeList } from '@gateway/resources';
import Joi from 'joi';
import { listOf, shape, text } from '../../http/schemas/fields.ts';
import { servesList } from '../../pipeline/cached-list.ts';
import { endpoint } from '../../pipeline/endpoint.ts';

const volumeTypeShape = shape<VolumeType>('VolumeType', {
  id: Joi.string(),
  name: text(),
  description: text(),
  is_default: Joi.boolean().description('Whether a new volume has it if the request names no type.'),
  is_public: Joi.boolean(),
});

export const volumeTypeEndpoints = [
  endpoint({
    method: 'GET',
    path: '/api/volume-types',
    tag: { name: 'volume-types', description: 'Types of volumes' },
    summary: 'The volume types that the project may use',
    access: 'project',
    response: listOf(volumeTypeShape),
    ...servesList(volumeTypeList),
  }),
];
