import { endpoint } from '../../pipeline/endpoint.ts';
import { getHealth, getMetrics } from './handlers.ts';
import { healthQuery, healthShape } from './schemas.ts';

const tag = { name: 'health', description: 'Health and metrics of this process' };

export const healthEndpoints = [
  endpoint({
    method: 'GET',
    path: '/api/health',
    tag,
    summary: 'Health of this process',
    access: 'public',
    query: healthQuery,
    response: healthShape,
    errors: [503],
    handler: getHealth,
  }),
  endpoint({
    method: 'GET',
    path: '/api/metrics',
    tag,
    summary: 'Metrics of this process, in the text exposition format',
    access: 'public',
    produces: 'text/plain; version=0.0.4; charset=utf-8',
    errors: [403],
    handler: getMetrics,
  }),
];
