import Joi from 'joi';
import { endpoint } from '../../http/endpoint.ts';
import { shape } from '../../http/schemas.ts';
import { getHealth, getMetrics } from './handlers.ts';

const tag = 'health';

export interface HealthQuery {
  ready: boolean;
}

const healthQuery = Joi.object<HealthQuery, true>({
  ready: Joi.boolean().default(false).description('Also ask whether requests can be served: 503 if not.'),
});

const up = () => Joi.string().valid('ok', 'unavailable');

const healthShape = shape('Health', {
  status: Joi.string().valid('ok', 'degraded', 'draining'),
  redis: up(),
  identity: up().optional(),
  version: Joi.string(),
  uptime_seconds: Joi.number().integer(),
});

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
