import type { CachedList } from '@gateway/views';
import type { Endpoint } from './endpoint.ts';
import type { RequestContext } from './request-context.ts';

/** The part of a declaration that makes an endpoint answer a cached list of the project. */
export function servesList(list: CachedList<unknown>): Pick<Endpoint, 'cache' | 'handler'> {
  return { cache: list, handler: (request) => list.load(sourcesOf(request)) };
}

/** What lists are read from, on behalf of a request. */
export function sourcesOf({ app, caller, openstack }: RequestContext) {
  return {
    openstack,
    projectId: caller.identity.projectId,
    cache: app.cache,
    lifetimes: app.config.cache,
  };
}
