import { serviceStatus } from '@gateway/resources';
import { serviceStatusShape } from '@gateway/resources/shapes';
import { endpoint } from '../../pipeline/endpoint.ts';
import { adminTags } from '../admin-tags.ts';
import { getServiceStatus } from './handlers.ts';
import { servicesQuery } from './schemas.ts';

export const adminServiceEndpoints = [
  endpoint({
    method: 'GET',
    path: '/api/admin/services',
    tag: adminTags.overview,
    summary: 'The processes of all services, their addresses, and the storage pools',
    description:
      'A list is empty if the cloud does not have its service, or while that is unavailable: `unavailable` names it then.',
    access: 'admin',
    cachedList: serviceStatus,
    query: servicesQuery,
    bypassesCache: ({ category }) => category !== undefined,
    response: serviceStatusShape,
    handler: getServiceStatus,
  }),
];
