import { flag, listOf, nonEmptyText, oneOf, shapeLike } from '@gateway/core/shapes';
import { type AvailabilityZone, availabilityZoneList } from '@gateway/resources';

import { servesList } from '../../pipeline/cached-list.ts';
import { endpoint } from '../../pipeline/endpoint.ts';

const availabilityZoneShape = shapeLike<AvailabilityZone>('AvailabilityZone', {
  name: nonEmptyText('nova'),
  service: oneOf(['compute', 'block_storage']).describe(
    'Whose resources the zone is for: instances or volumes.',
  ),
  is_available: flag().describe('Whether the service creates resources there now.'),
});

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
