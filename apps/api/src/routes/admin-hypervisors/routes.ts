import { hypervisorList } from '@gateway/views';
import { listOf, pathIds } from '../../http/schemas/fields.ts';
import { servesList } from '../../pipeline/cached-list.ts';
import { endpoint } from '../../pipeline/endpoint.ts';
import { adminTag } from '../admin-tag.ts';
import { getHypervisor, updateHypervisor } from './handlers.ts';
import { hypervisorDetailShape, hypervisorShape, updateHypervisorBody } from './schemas.ts';

export const adminHypervisorEndpoints = [
  endpoint({
    method: 'GET',
    path: '/api/admin/hypervisors',
    tag: adminTag,
    summary: 'The hosts of instances',
    access: 'admin',
    response: listOf(hypervisorShape),
    rows: { filters: { state: ['state'] } },
    ...servesList(hypervisorList),
  }),
  endpoint({
    method: 'GET',
    path: '/api/admin/hypervisors/:id',
    tag: adminTag,
    summary: 'A host with its instances',
    access: 'admin',
    params: pathIds('id'),
    response: hypervisorDetailShape,
    handler: getHypervisor,
  }),
  endpoint({
    method: 'PUT',
    path: '/api/admin/hypervisors/:id',
    tag: adminTag,
    summary: 'Enable or disable a host',
    description: 'A disabled host gets no new instances. Those on it keep running.',
    access: 'admin',
    params: pathIds('id'),
    body: updateHypervisorBody,
    changes: ['hypervisor'],
    response: hypervisorDetailShape,
    handler: updateHypervisor,
  }),
];
