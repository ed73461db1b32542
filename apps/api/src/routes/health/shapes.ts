import {
  enumOf,
  integer,
  listOf,
  nonEmptyText,
  oneOf,
  part,
  type ShapeType,
  shape,
} from '@gateway/core/shapes';
import { maintenanceShape } from '../admin-read-only-mode/shapes.ts';

const up = () => enumOf('DependencyStatus', ['ok', 'unavailable']);

export const healthShape = shape('Health', {
  status: oneOf(['ok', 'degraded', 'draining']),
  redis: up(),
  jobs: oneOf(['ok', 'held']).describe(
    '`held`: the store may be an older copy, so no job runs until an operator decides.',
  ),
  identity: up().describe('With `deep`.').optional(),
  maintenance: up()
    .describe('With `deep`: `unavailable` while a scheduled task of the workers is overdue.')
    .optional(),
  cache: up().describe('With `deep`, if cached lists have a Redis of their own.').optional(),
  service_user: oneOf(['ok', 'refused', 'not_administrator', 'unknown'])
    .describe(
      'With `deep`, if there is a service user: the result of its last log-in by this process. `unknown` until the identity service has answered one.',
    )
    .optional(),
  region: oneOf(['ok', 'not_in_catalog', 'unknown'])
    .describe(
      'With `deep`: whether the catalog has services in the configured region. `unknown` until this process has seen a catalog.',
    )
    .optional(),
  unsupported_versions: listOf(
    part({
      service: nonEmptyText('compute'),
      needed: nonEmptyText('2.79'),
      offered: nonEmptyText('2.1 to 2.65'),
    }),
  )
    .describe(
      'With `deep`: services without the microversion that the gateway needs. The result is at most ten minutes old.',
    )
    .optional(),
  read_only: maintenanceShape
    .nullable()
    .describe('While the gateway accepts no changes, because of maintenance, for a banner; else null.'),
  version: nonEmptyText('0.1.0'),
  uptime_seconds: integer(86400),
});

export type Health = ShapeType<typeof healthShape>;
