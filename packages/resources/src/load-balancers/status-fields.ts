import { nonEmptyText } from '@gateway/core/shapes';

/** The two statuses of a load balancer and of what is below it. */
export const statusFields = {
  status: nonEmptyText('ACTIVE').describe(
    'Provisioning status: `ACTIVE`, `ERROR`, `PENDING_CREATE`, `PENDING_UPDATE` or `PENDING_DELETE`.',
  ),
  operating_status: nonEmptyText('ONLINE').describe(
    '`ONLINE`, `OFFLINE`, `DEGRADED`, `ERROR`, `NO_MONITOR`, …',
  ),
};
