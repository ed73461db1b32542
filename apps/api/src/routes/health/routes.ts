import { endpoint } from '../../pipeline/endpoint.ts';
import { getHealth, getMetrics } from './handlers.ts';
import { healthQuery } from './schemas.ts';
import { healthShape } from './shapes.ts';

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
    alternativeStatuses: [503],
    handler: getHealth,
  }),
  endpoint({
    method: 'GET',
    path: '/api/metrics',
    tag,
    summary: 'Metrics of this process, in the text exposition format',
    access: 'public',
    exampleText: '# TYPE gateway_event_streams gauge\ngateway_event_streams 3\n',
    produces: 'text/plain; version=0.0.4; charset=utf-8',
    errors: ['forbidden'],
    handler: getMetrics,
  }),
];
