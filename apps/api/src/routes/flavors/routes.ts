import { listOf } from '@gateway/core/shapes';
import { flavorList } from '@gateway/resources';
import { flavorShape } from '@gateway/resources/shapes';

import { servesList } from '../../pipeline/cached-list.ts';
import { endpoint } from '../../pipeline/endpoint.ts';

export const flavorEndpoints = [
  endpoint({
    method: 'GET',
    path: '/api/flavors',
    tag: { name: 'flavors', description: 'Sizes of instances' },
    summary: 'Flavors the project can use',
    access: 'project',
    response: listOf(flavorShape),
    ...servesList(flavorList),
  }),
];
