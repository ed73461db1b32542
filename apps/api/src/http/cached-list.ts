import type { CachedList } from '@gateway/views';
import Joi from 'joi';
import type { Endpoint } from './endpoint.ts';
import type { RequestContext } from './request-context.ts';

export interface ListQuery {
  refresh: boolean;
}

/** Of every cached list. */
const listQuery = Joi.object<ListQuery, true>({
  refresh: Joi.boolean().default(false).description('Read anew instead of from the cache.'),
});

/** The part of a declaration that makes an endpoint answer a cached list of the project. */
export function servesList(
  list: CachedList<unknown>,
): Pick<Endpoint<unknown, ListQuery>, 'cache' | 'query' | 'handler'> {
  return { cache: list, query: listQuery, handler: (request) => list.load(sourcesOf(request)) };
}

/** What lists are read from, on behalf of a request. */
export function sourcesOf({ app, caller, openstack }: RequestContext) {
  return {
    openstack,
    reader: caller.identity,
    cache: app.cache,
    lifetimes: app.config.cache,
  };
}
