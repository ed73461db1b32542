import { flag, id, listOf, shapeLike, text } from '@gateway/core/shapes';
import { type VolumeType, volumeTypeList } from '@gateway/resources';

import { servesList } from '../../pipeline/cached-list.ts';
import { endpoint } from '../../pipeline/endpoint.ts';

const volumeTypeShape = shapeLike<VolumeType>('VolumeType', {
  id: id('volume_type'),
  name: text('ssd'),
  description: text(''),
  is_default: flag(false).describe('Whether a new volume has it if the request names no type.'),
  is_public: flag(),
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
