import { listOf } from '@gateway/core/shapes';
import { hypervisorList } from '@gateway/resources';
import { evacuationPreviewShape, hypervisorDetailShape, hypervisorShape } from '@gateway/resources/shapes';
import { pathIds } from '../../http/schemas/fields.ts';
import { servesList } from '../../pipeline/cached-list.ts';
import { endpoint } from '../../pipeline/endpoint.ts';
import { adminTags } from '../admin-tags.ts';
import { previewEvacuation, startEvacuation, startedEvacuationShape } from './evacuation.ts';
import { evacuationBody } from './evacuation-schemas.ts';
import { getHypervisor, updateHypervisor } from './handlers.ts';
import { updateHypervisorBody } from './schemas.ts';

export const adminHypervisorEndpoints = [
  endpoint({
    method: 'GET',
    path: '/api/admin/hypervisors',
    tag: adminTags.hosts,
    summary: 'The hosts of instances',
    access: 'admin',
    response: listOf(hypervisorShape),
    rows: { filters: { state: ['state'] } },
    ...servesList(hypervisorList),
  }),
  endpoint({
    method: 'GET',
    path: '/api/admin/hypervisors/:id',
    tag: adminTags.hosts,
    summary: 'A host with its instances',
    access: 'admin',
    params: pathIds('id'),
    response: hypervisorDetailShape,
    handler: getHypervisor,
  }),
  endpoint({
    method: 'PUT',
    path: '/api/admin/hypervisors/:id',
    tag: adminTags.hosts,
    summary: 'Enable or disable a host',
    description: 'A disabled host gets no new instances. Those on it keep running.',
    access: 'admin',
    params: pathIds('id'),
    body: updateHypervisorBody,
    writes: { resource: 'hypervisor', as: 'updated' },
    response: hypervisorDetailShape,
    handler: updateHypervisor,
  }),
  endpoint({
    method: 'GET',
    path: '/api/admin/hypervisors/:id/evacuation',
    tag: adminTags.hosts,
    summary: 'What an evacuation of the host moves, and how',
    access: 'admin',
    params: pathIds('id'),
    response: evacuationPreviewShape,
    handler: previewEvacuation,
  }),
  endpoint({
    method: 'POST',
    path: '/api/admin/hypervisors/:id/evacuation',
    tag: adminTags.hosts,
    summary: 'Move all instances away from a host',
    description:
      'Starts a job, which disables the host and moves what the preview shows to other hosts. It completes if no instance is left; ' +
      'otherwise its last event says which have stayed, and why. What has moved does not come back, and the host stays disabled.',
    access: 'admin',
    params: pathIds('id'),
    body: evacuationBody,
    status: 202,
    response: startedEvacuationShape,
    startsJob: 'host.evacuate',
    errors: ['conflict'],
    handler: startEvacuation,
  }),
];
