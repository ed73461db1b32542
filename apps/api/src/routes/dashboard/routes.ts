import { dashboardSummary, userDashboard } from '@gateway/views';
import { sourcesOf } from '../../pipeline/cached-list.ts';
import { endpoint } from '../../pipeline/endpoint.ts';
import { dashboardSummaryShape, userDashboardShape } from './schemas.ts';

const tag = { name: 'dashboard', description: 'Overviews of a project' };

const description =
  'A part whose service is unavailable is null, and `unavailable` names the service. The other parts are answered all the same.';

export const dashboardEndpoints = [
  endpoint({
    method: 'GET',
    path: '/api/dashboard/summary',
    tag,
    summary: 'Counts and limits of the project',
    description,
    access: 'project',
    response: dashboardSummaryShape,
    cachedList: dashboardSummary,
    handler: (request) => dashboardSummary.load(sourcesOf(request)),
  }),
  endpoint({
    method: 'GET',
    path: '/api/user-dashboard',
    tag,
    summary: 'What the caller has created in the project',
    description,
    access: 'project',
    response: userDashboardShape,
    cachedList: userDashboard,
    handler: (request) => userDashboard.load(sourcesOf(request)),
  }),
];
