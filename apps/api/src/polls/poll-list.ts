import { cacheKeyFor } from '@gateway/cache';
import { GatewayError, newRequestId, type WatchedResource, watchedRowsOf } from '@gateway/core';
import type { PollOutcome } from '@gateway/platform';
import { rowsInTransition } from '@gateway/resources';
import type { AppContext } from '../context.ts';
import type { Listener } from '../http/streams/listeners.ts';
import type { AnyEndpoint } from '../pipeline/endpoint.ts';
import { observeList } from '../pipeline/observe-list.ts';
import { createRequestContext } from '../pipeline/request-context.ts';

export type WatchedEndpoint = AnyEndpoint & { watched: WatchedResource };

interface PollResult {
  outcome: PollOutcome;
  /** Whether a row is about to change by itself. */
  isInTransition: boolean;
}

/** Reads a list anew with the rights of a listener, and reports how it differs from the last read. */
export async function pollList(
  app: AppContext,
  endpoint: WatchedEndpoint,
  listener: Listener,
): Promise<PollResult> {
  const { watched } = endpoint;
  const { caller } = listener;
  try {
    const observed = await observeList(app, watched, caller);
    const { isInTransition, rows } = await readAnew(app, endpoint, listener);
    const hasChanged = await observed.report(rows);
    return { outcome: hasChanged ? 'changed' : 'unchanged', isInTransition };
  } catch (error) {
    // A service is unavailable, or refuses the listener: then the next poll has another one, if there is one.
    if (!(error instanceof GatewayError)) {
      app.logger.warn('A poll of a list failed', { error, type: watched });
    } else if (error.status === 401 || error.status === 403) {
      listener.refusedTypes.add(watched);
    }
    return { outcome: 'failed', isInTransition: false };
  }
}

interface ReadRows {
  rows: unknown;
  isInTransition: boolean;
}

/** Through the cache if the list has one, so that later readers need no call to the cloud. */
async function readAnew(
  app: AppContext,
  { cachedList: list, handler, query: querySchema, watched }: WatchedEndpoint,
  { caller, request, credentials }: Listener,
): Promise<ReadRows> {
  const query: unknown = querySchema?.validate({}).value ?? {};
  const context = createRequestContext({
    app,
    request,
    requestId: newRequestId(),
    caller,
    credentials,
    params: {},
    query,
    body: undefined,
  });
  if (list === undefined) {
    const rows = (await handler(context)) as object[];
    if (watchedRowsOf(watched).stateField === null) return { rows, isInTransition: false };
    const key = cacheKeyFor({ name: watched, varyBy: 'project' }, caller.identity);
    return { rows, isInTransition: await app.cache.isInTransition(key, rowsInTransition(rows)) };
  }
  let rows: unknown;
  const cached = await app.cache.getOrLoad(list.keyFor(caller.identity), {
    ...list.keeping(app.config.cache),
    async load() {
      rows = await handler(context);
      return rows;
    },
    refresh: true,
  });
  return { rows: rows ?? JSON.parse(cached.body.toString()), isInTransition: cached.isInTransition };
}
