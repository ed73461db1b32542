import { type Flavor, flavorList } from '@gateway/resources';
import { listOf, shape } from '../../http/schemas/fields.ts';
import { flavorFields } from '../../http/schemas/flavor.ts';
import { servesList } from '../../pipeline/cached-list.ts';
import { endpoint } from '../../pipeline/endpoint.ts';

const flavorShape = shape<Flavor>('Flavor', flavorFields);

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
