import Joi from 'joi';
import { shape } from '../../http/schemas/fields.ts';

export interface HealthQuery {
  ready: boolean;
}

export const healthQuery = Joi.object<HealthQuery, true>({
  ready: Joi.boolean().default(false).description('Also check whether requests can be served; 503 if not.'),
});

const up = () => Joi.string().valid('ok', 'unavailable');

export const healthShape = shape(
  'Health',
  {
    status: Joi.string().valid('ok', 'degraded', 'draining'),
    redis: up(),
    identity: up().optional(),
    version: Joi.string(),
    uptime_seconds: Joi.number().integer(),
  },
  () => ({ version: '0.1.0' }),
);
