import { listOf } from '@gateway/core/shapes';
import { availabilityZoneList } from '@gateway/resources';
import { availabilityZoneShape } from '@gateway/resources/shapes';

import { servesList } from '../../pipeline/cached-list.ts';
import { endpoint } from '../../pipeline/endpoint.ts';

export const availabilityZoneEndpoints = [
  endpoint({
    method: 'GET',
    path: '/api/availability-zones',
    tag: { name: 'availability-zones', description: 'Where instances and volumes can be created' },
    summary: 'The availability zones of each service',
    description: 'Zones of two services may differ, even under the same name.',
    access: 'project',
    response: listOf(availabilityZoneShape),
    ...servesList(availabilityZoneList),
  }),
];
