import { listOf } from '@gateway/core/shapes';
import { imageLists } from '@gateway/resources';
import { imageShape } from '@gateway/resources/shapes';
import { pathIds } from '../../http/schemas/fields.ts';
import { imageRows } from '../../http/schemas/image.ts';
import { servesList } from '../../pipeline/cached-list.ts';
import { endpoint } from '../../pipeline/endpoint.ts';
import { deleteImage, getImage } from './handlers.ts';

const tag = { name: 'images', description: 'Images to boot from' };

export const imageEndpoints = [
  endpoint({
    method: 'GET',
    path: '/api/images',
    tag,
    summary: 'Images to boot from',
    access: 'project',
    watched: 'image',
    response: listOf(imageShape),
    rows: imageRows,
    ...servesList(imageLists.project),
  }),
  endpoint({
    method: 'GET',
    path: '/api/images/:image_id',
    tag,
    summary: 'One image',
    description: 'Of the project, a public one, or one that the project has accepted; also a hidden one.',
    access: 'project',
    params: pathIds('image_id'),
    response: imageShape,
    handler: getImage,
  }),
  endpoint({
    method: 'DELETE',
    path: '/api/images/:image_id',
    tag,
    summary: 'Delete an image of the project',
    description:
      'Instances and volumes that were made of it stay. Refused with 409 while the image is protected, or storage needs it.',
    access: 'project',
    params: pathIds('image_id'),
    writes: { resource: 'image', as: 'deleting' },
    status: 204,
    errors: ['conflict'],
    handler: deleteImage,
  }),
];
