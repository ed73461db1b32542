import { listOf, shapeLike } from '@gateway/core/shapes';
import { type Flavor, flavorList } from '@gateway/resources';
import { flavorFields } from '@gateway/resources/shapes';

import { servesList } from '../../pipeline/cached-list.ts';
import { endpoint } from '../../pipeline/endpoint.ts';

const flavorShape = shapeLike<Flavor>('Flavor', flavorFields);

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
