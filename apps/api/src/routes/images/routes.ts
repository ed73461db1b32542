import { imageList } from '@gateway/views';
import { listOf } from '../../http/schemas/fields.ts';
import { imageShape } from '../../http/schemas/image.ts';
import { servesList } from '../../pipeline/cached-list.ts';
import { endpoint } from '../../pipeline/endpoint.ts';

export const imageEndpoints = [
  endpoint({
    method: 'GET',
    path: '/api/images',
    tag: { name: 'images', description: 'Images to boot from' },
    summary: 'Images to boot from',
    access: 'project',
    watched: { type: 'image', interval: 'images', projectField: 'owner' },
    response: listOf(imageShape),
    rows: { filters: { project_id: ['owner'], visibility: ['visibility'], os_distro: ['os_distro'] } },
    ...servesList(imageList),
  }),
];
