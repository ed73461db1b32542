import { listOf } from '@gateway/core/shapes';
import { cloudOverview, cloudTopology, monitoringSummary, projectUsageList } from '@gateway/resources';
import {
  cloudOverviewShape,
  cloudTopologyShape,
  monitoringSummaryShape,
  projectUsageShape,
} from '@gateway/resources/shapes';

import { servesList } from '../../pipeline/cached-list.ts';
import { endpoint } from '../../pipeline/endpoint.ts';
import { adminTags } from '../admin-tags.ts';

const description =
  'A figure whose service is unavailable is null, and `unavailable` names the service. The other figures are answered all the same.';

export const adminOverviewEndpoints = [
  endpoint({
    method: 'GET',
    path: '/api/admin/overview',
    tag: adminTags.overview,
    summary: 'Counts and capacity of the whole cloud',
    description,
    access: 'admin',
    response: cloudOverviewShape,
    ...servesList(cloudOverview),
  }),
  endpoint({
    method: 'GET',
    path: '/api/admin/overview/projects',
    tag: adminTags.overview,
    summary: 'What each project uses of its quotas',
    description:
      'Figures are null if their service is unavailable, and quotas also if they could not be read in time. `refresh` reads the quotas from the cloud; otherwise they are cached for some minutes.',
    access: 'admin',
    response: listOf(projectUsageShape),
    rows: { id: 'project_id', filters: { name: ['project_name'] } },
    ...servesList(projectUsageList),
  }),
  endpoint({
    method: 'GET',
    path: '/api/admin/monitoring/summary',
    tag: adminTags.overview,
    summary: 'Figures of all services for a monitoring page',
    description,
    access: 'admin',
    response: monitoringSummaryShape,
    ...servesList(monitoringSummary),
  }),
  endpoint({
    method: 'GET',
    path: '/api/admin/topology',
    tag: adminTags.overview,
    summary: 'The networks of all projects, and what is on them',
    access: 'admin',
    response: cloudTopologyShape,
    ...servesList(cloudTopology),
  }),
];
