import { type ServiceStatus, serviceStatus } from '@gateway/resources';
import { sourcesOf } from '../../pipeline/cached-list.ts';
import type { RequestContext } from '../../pipeline/request-context.ts';
import type { ServicesQuery } from './schemas.ts';

export async function getServiceStatus(
  request: RequestContext<unknown, ServicesQuery>,
): Promise<ServiceStatus> {
  const { category, refresh } = request.query;
  const sources = sourcesOf(request);
  if (category === undefined) return serviceStatus.load(sources, refresh);
  const status = await serviceStatus.read(sources, refresh);
  const wanted: ReadonlySet<string> = new Set([...category, 'unavailable']);
  const shown = Object.entries(status).map(([name, rows]) => [name, wanted.has(name) ? rows : []]);
  return Object.fromEntries(shown) as ServiceStatus;
}
