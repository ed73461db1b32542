import type { IncomingMessage, RequestListener } from 'node:http';
import type { AppContext } from '../context.ts';
import { credentialsOf } from '../http/request/credentials.ts';
import { instrumentRequest } from '../http/request/request-logging.ts';
import { sendError } from '../http/response/error-handler.ts';
import { addCaller, type GatewayResponse, requestIdOf } from '../http/response/gateway-response.ts';
import { type CachedListRequest, CachedListRequests } from './cached-list-requests.ts';
import type { AnyEndpoint } from './endpoint.ts';
import { sendCached } from './send.ts';

/**
 * The listener that receives every request. Dashboards poll the same few lists, which makes them the hottest
 * requests. If the list is cached and the in-process token cache knows the caller, this listener answers
 * without Express, whose routing would add 20 % to the cost. Everything else goes to `next`, where the same
 * endpoints are mounted: other endpoints, requests with an `Origin` or an invalid query, callers whose token
 * must be validated, and lists that are not cached.
 */
export function cachedListFastPath(
  app: AppContext,
  endpoints: readonly AnyEndpoint[],
  next: RequestListener,
): RequestListener {
  const requests = new CachedListRequests(endpoints.filter((endpoint) => isEligible(app, endpoint)));
  return (request, serverResponse) => {
    const response = instrumentRequest(app, request, serverResponse);
    app.sessionCookies?.authenticate(request);
    const list = request.method === 'GET' ? requests.find(request.url ?? '') : null;
    if (list === null || request.headers.origin !== undefined) {
      next(request, response);
      return;
    }
    void sendCachedOr(next, app, list, request, response);
  };
}

/** Sends the caller's list from the cache. If the caller or the list is not cached, `next` answers. */
async function sendCachedOr(
  next: RequestListener,
  app: AppContext,
  { endpoint: { cachedList: list, path }, selection }: CachedListRequest,
  request: IncomingMessage,
  response: GatewayResponse,
): Promise<void> {
  try {
    const caller = app.authenticator.getCached(credentialsOf(request));
    if (caller === null || list === undefined) {
      next(request, response);
      return;
    }
    const accepted = app.acceptedEncodings.of(request);
    response.locals.route = path;
    const cached = await app.cache.get(list.keyFor(caller.identity), { accepted, selection });
    if (cached === null) {
      next(request, response);
      return;
    }
    addCaller(response, caller.identity);
    sendCached(request, response, cached);
  } catch (error) {
    sendError(response, error, requestIdOf(response), app.logger);
  }
}

/** Whether any member of the project may read the list, and its service is enabled. */
function isEligible(
  { config }: AppContext,
  { access, cachedList, method, path, service }: AnyEndpoint,
): boolean {
  const isEnabled = service === undefined || config.services[service];
  return (
    cachedList !== undefined && method === 'GET' && access === 'project' && isEnabled && !path.includes(':')
  );
}
