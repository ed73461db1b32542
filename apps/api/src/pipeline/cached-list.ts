import { ownerReaders } from '@gateway/lite';
import type { CachedList, ListSources } from '@gateway/resources';
import Joi from 'joi';
import { actorOf } from '../auth/caller.ts';
import { refreshField } from '../http/schemas/refresh.ts';
import type { Endpoint } from './endpoint.ts';
import type { RequestContext } from './request-context.ts';

export interface ListQuery {
  refresh: boolean;
}

/** The query of a cached list. */
export const listQuery = Joi.object<ListQuery, true>({
  refresh: refreshField().default(false).description('Read anew instead of from the cache.'),
});

/** The part of an endpoint's declaration that serves a cached list of the project. */
export function servesList<Result>(
  list: CachedList<Result>,
): Pick<Endpoint<unknown, ListQuery, unknown, Result>, 'cachedList' | 'query' | 'handler'> {
  return {
    cachedList: list,
    query: listQuery,
    handler: (request) => list.load(sourcesOf(request), request.query.refresh),
  };
}

/** What a request reads lists from. */
export function sourcesOf({ app, caller, openstack, requestId }: RequestContext): ListSources {
  return {
    openstack,
    reader: caller.identity,
    ...actorOf(caller),
    cache: app.cache,
    lifetimes: app.config.cache,
    clock: app.clock,
    config: app.config,
    serviceUser: () => app.serviceAccount.bind({ requestId }),
    countLiteClusters: () => app.liteClusters.countOpen(),
    readGpuRecords: (projectId) => app.gpuQuotas.readProject(projectId),
    readFirstBoots: (projectId, jobIds) => app.firstBoots.read(projectId, jobIds),
    owners: ownerReaders(app.redis.store, app.liteClusters),
  };
}
