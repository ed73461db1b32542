import type { Selection } from '@gateway/cache';
import { LRUCache } from 'lru-cache';
import type { AppContext } from '../context.ts';
import { queryTextOf } from '../http/request/query.ts';
import { validateInput } from '../http/request/validate.ts';
import { authenticate, type ReceivedRequest } from './authenticate-request.ts';
import type { AnyEndpoint } from './endpoint.ts';
import { observeInPassing } from './observe-list.ts';
import { consumeRateLimits, runHandler } from './run-handler.ts';
import { sendCached } from './send.ts';
import { runAndSend } from './serve-result.ts';

/** What a query asks of a cached list. */
interface ListQuery {
  /** Validated. */
  query: { refresh?: boolean };
  /** Undefined for all rows. */
  selection: Selection | undefined;
  bypassesCache: boolean;
}

/** Dashboards repeat few queries of a list, and joi takes longer than all the rest of a request. */
const MAX_QUERIES = 100;
const MAX_LENGTH = 512;

/** Serves a cached list. The cache is read after authentication, because the key depends on the caller. */
export function cachedListServer(
  app: AppContext,
  endpoint: AnyEndpoint,
): (received: ReceivedRequest) => Promise<void> {
  const { cachedList: list, path } = endpoint;
  if (list === undefined) throw new Error(`${path} declares no cached list.`);
  const keeping = list.keeping(app.config.cache);
  const queries = new LRUCache<string, ListQuery>({ max: MAX_QUERIES });

  function readQuery({ query, request }: ReceivedRequest): ListQuery {
    const text = queryTextOf(request);
    const known = queries.get(text);
    if (known !== undefined) return known;
    const read = validateQuery(endpoint, query);
    if (text.length <= MAX_LENGTH) queries.set(text, read);
    return read;
  }

  return async (received) => {
    const { request, response } = received;
    const authenticated = await authenticate(received);
    const { caller } = authenticated;
    if (caller === null) throw new Error(`${path} is public, but caches by caller.`);
    const { bypassesCache, query, selection } = readQuery(received);
    if (bypassesCache) {
      await runAndSend(authenticated);
      return;
    }
    let onLoaded: (rows: unknown) => void = () => {};
    const cached = await app.cache.getOrLoad(list.keyFor(caller.identity), {
      ...keeping,
      async load() {
        onLoaded = await observeInPassing(app, endpoint.watched, caller);
        await consumeRateLimits(authenticated, 'before the body');
        return runHandler(authenticated, { params: {}, query, body: undefined });
      },
      onLoaded: (rows) => onLoaded(rows),
      refresh: query.refresh,
      accepted: app.acceptedEncodings.of(request),
      selection,
    });
    sendCached(request, response, cached);
  };
}

/** @throws 400 */
function validateQuery(
  { bypassesCache, listRows, query: schema }: AnyEndpoint,
  sent: ReceivedRequest['query'],
): ListQuery {
  const { query } = validateInput({ query: schema }, { query: sent });
  return {
    query: query as ListQuery['query'],
    selection: listRows?.selectionOf(query) ?? undefined,
    bypassesCache: bypassesCache?.(query) === true,
  };
}
