import { type AvailabilityZone, availabilityZoneList } from '@gateway/resources';
import Joi from 'joi';
import { listOf, shape } from '../../http/schemas/fields.ts';
import { servesList } from '../../pipeline/cached-list.ts';
import { endpoint } from '../../pipeline/endpoint.ts';

const availabilityZoneShape = shape<AvailabilityZone>('AvailabilityZone', {
  name: Joi.string(),
  service: Joi.string()
    .valid('compute', 'block_storage')
    .description('Whose resources the zone is for: instances or volumes.'),
  is_available: Joi.boolean().description('Whether the service creates resources there now.'),
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
