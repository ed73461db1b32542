import type { RegionState, ServiceUserState } from '@gateway/context';
import Joi from 'joi';
import { listOf, part, shape } from '../../http/schemas/fields.ts';

export interface HealthQuery {
  ready: boolean;
  deep: boolean;
}

export const healthQuery = Joi.object<HealthQuery, true>({
  ready: Joi.boolean()
    .default(false)
    .description('503 while the process takes no more requests, because it stops.'),
  deep: Joi.boolean()
    .default(false)
    .description('Also check the dependencies. The result is at most ten seconds old.'),
});

type Availability = 'ok' | 'unavailable';

interface UnsupportedVersion {
  service: string;
  needed: string;
  offered: string;
}

export interface Health {
  status: 'ok' | 'degraded' | 'draining';
  redis: Availability;
  jobs: 'ok' | 'held';
  identity?: Availability;
  maintenance?: Availability;
  cache?: Availability;
  service_user?: ServiceUserState;
  region?: RegionState;
  unsupported_versions?: UnsupportedVersion[];
  version: string;
  uptime_seconds: number;
}

const up = () => Joi.string().valid('ok', 'unavailable');

export const healthShape = shape<Health>(
  'Health',
  {
    status: Joi.string().valid('ok', 'degraded', 'draining'),
    redis: up(),
    jobs: Joi.string()
      .valid('ok', 'held')
      .description('`held`: the store may be an older copy, so no job runs until an operator decides.'),
    identity: up().optional().description('With `deep`.'),
    maintenance: up()
      .optional()
      .description('With `deep`: `unavailable` while a scheduled task of the workers is overdue.'),
    cache: up().optional().description('With `deep`, if cached lists have a Redis of their own.'),
    service_user: Joi.string()
      .valid('ok', 'refused', 'not_administrator', 'unknown')
      .optional()
      .description(
        'With `deep`, if there is a service user: the result of its last log-in by this process. `unknown` until the identity service has answered one.',
      ),
    region: Joi.string()
      .valid('ok', 'not_in_catalog', 'unknown')
      .optional()
      .description(
        'With `deep`: whether the catalog has services in the configured region. `unknown` until this process has seen a catalog.',
      ),
    unsupported_versions: listOf(
      part<UnsupportedVersion>({
        service: Joi.string(),
        needed: Joi.string(),
        offered: Joi.string(),
      }),
    )
      .optional()
      .description(
        'With `deep`: services without the microversion that the gateway needs. The result is at most ten minutes old.',
      ),
    version: Joi.string(),
    uptime_seconds: Joi.number().integer(),
  },
  () => ({ version: '0.1.0' }),
);
