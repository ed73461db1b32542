import { listOf } from '@gateway/core/shapes';
import { volumeTypeList } from '@gateway/resources';
import { volumeTypeShape } from '@gateway/resources/shapes';

import { servesList } from '../../pipeline/cached-list.ts';
import { endpoint } from '../../pipeline/endpoint.ts';

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
