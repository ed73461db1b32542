import { dashboardQuotas, dashboardSummary, gpuAvailability, userDashboard } from '@gateway/resources';
import {
  dashboardQuotasShape,
  dashboardSummaryShape,
  gpuAvailabilityShape,
  usageShape,
  userDashboardShape,
} from '@gateway/resources/shapes';
import { servesList } from '../../pipeline/cached-list.ts';
import { endpoint } from '../../pipeline/endpoint.ts';
import { getDashboardConfig } from '../site-config/handlers.ts';
import { dashboardConfigShape } from '../site-config/shapes.ts';
import { getUsage } from './handlers.ts';
import { usageQuery } from './usage-period.ts';

const tag = { name: 'dashboard', description: 'Overviews of a project' };

const description =
  'A part whose service is unavailable, or refuses the read, is null, and `unavailable` names the service. The other parts are answered all the same.';

export const dashboardEndpoints = [
  endpoint({
    method: 'GET',
    path: '/api/dashboard/summary',
    tag,
    summary: 'Counts and limits of the project',
    description,
    access: 'project',
    response: dashboardSummaryShape,
    ...servesList(dashboardSummary),
  }),
  endpoint({
    method: 'GET',
    path: '/api/dashboard/config',
    tag,
    summary: 'Configuration of the dashboard',
    access: 'project',
    response: dashboardConfigShape,
    handler: getDashboardConfig,
  }),
  endpoint({
    method: 'GET',
    path: '/api/dashboard/quotas',
    tag,
    summary: 'Quotas of the project in every service, and what is in use of them',
    description,
    access: 'project',
    response: dashboardQuotasShape,
    ...servesList(dashboardQuotas),
  }),
  endpoint({
    method: 'GET',
    path: '/api/dashboard/gpu-available',
    tag,
    summary: 'GPUs of the cloud, and how many of them the project may still use',
    description:
      'An empty object if the cloud has no GPUs, or the gateway has no user that may read its hosts.',
    access: 'project',
    response: gpuAvailabilityShape,
    ...servesList(gpuAvailability),
  }),
  endpoint({
    method: 'GET',
    path: '/api/dashboard/usage',
    tag,
    summary: 'What the instances of the project have used in a period',
    access: 'project',
    query: usageQuery,
    response: usageShape,
    handler: getUsage,
  }),
  endpoint({
    method: 'GET',
    path: '/api/user-dashboard',
    tag,
    summary: 'What the caller has created in the project',
    description,
    access: 'project',
    response: userDashboardShape,
    ...servesList(userDashboard),
  }),
];
