import { type Image, imageList } from '@gateway/views';
import Joi from 'joi';
import { listOf, nullableText, shape, text, timestamp } from '../../http/schemas/fields.ts';
import { servesList } from '../../pipeline/cached-list.ts';
import { endpoint } from '../../pipeline/endpoint.ts';

const imageShape = shape<Image>(
  'Image',
  {
    id: Joi.string(),
    name: text(),
    status: Joi.string(),
    visibility: Joi.string().valid('public', 'private', 'shared', 'community'),
    owner: nullableText().description('Id of the project that it belongs to.'),
    size: Joi.number().integer().description('Bytes.'),
    min_disk: Joi.number().integer().description('GB.'),
    min_ram: Joi.number().integer().description('MB.'),
    disk_format: text(),
    os_distro: text(),
    created_at: timestamp().allow(null),
  },
  () => ({ status: 'active', size: 2_361_393_152 }),
);

export const imageEndpoints = [
  endpoint({
    method: 'GET',
    path: '/api/images',
    tag: { name: 'images', description: 'Images to boot from' },
    summary: 'Images to boot from',
    access: 'project',
    watched: { type: 'image', interval: 'images', projectField: 'owner' },
    response: listOf(imageShape),
    ...servesList(imageList),
  }),
];
