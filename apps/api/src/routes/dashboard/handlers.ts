import { presentUsage, type Usage } from '@gateway/resources';
import { toValidationError } from '../../http/request/validation-errors.ts';
import type { RequestContext } from '../../pipeline/request-context.ts';
import { type UsageQuery, usageDays, usagePeriod } from './usage-period.ts';

export async function getUsage({
  app,
  caller,
  openstack,
  query,
}: RequestContext<unknown, UsageQuery>): Promise<Usage> {
  const now = app.clock.now();
  const days = usageDays(query, now);
  if (days.start > days.end) {
    const message = `must not be after ${query.end === undefined ? 'today' : 'end'}`;
    throw toValidationError([{ path: ['query', 'start'], message }]);
  }
  const period = usagePeriod(days, now);
  const { usage } = openstack.compute;
  const servers = period === null ? [] : await usage.listServers(caller.identity.projectId, period);
  return presentUsage(days, servers);
}
