import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { cacheKeyFor } from '@gateway/cache';
import type { AppContext } from '../context.ts';
import type { Answer } from './answer.ts';
import { attend } from './attend.ts';
import { credentialsOf } from './credentials.ts';
import type { AnyEndpoint } from './endpoint.ts';
import { sendError } from './error-handler.ts';
import { requestIdOf } from './request-id.ts';
import { sendCached } from './send.ts';

/** What Express is to these: whatever is no hit goes on to it. */
type Otherwise = (request: IncomingMessage, response: ServerResponse) => void;

/**
 * The entrance of every request. A dashboard asks for the same lists again and again, so these are the hottest
 * requests by far: where the list is cached and this process knows the caller, it is answered here, before
 * Express and its routing, which would cost a fifth of it. Anything else (another page's origin, a query, a
 * caller to be asked about, a list to be read) takes the ordinary path, where the same endpoint is declared.
 */
export function answerHits(
  app: AppContext,
  endpoints: readonly AnyEndpoint[],
  otherwise: Otherwise,
): RequestListener {
  const lists = new Map(
    endpoints.filter((endpoint) => isOpenList(app, endpoint)).map((list) => [list.path, list]),
  );
  return (request, response) => {
    const attended = attend(app, request, response);
    const list = request.method === 'GET' ? lists.get(request.url ?? '') : undefined;
    if (list === undefined || request.headers.origin !== undefined) otherwise(request, attended);
    else {
      answerHit(app, list, request, attended, otherwise).catch((error: unknown) => {
        sendError(attended, error, requestIdOf(attended), app.logger);
      });
    }
  };
}

async function answerHit(
  app: AppContext,
  { cache, path }: AnyEndpoint,
  request: IncomingMessage,
  response: Answer,
  otherwise: Otherwise,
): Promise<void> {
  const caller = app.authenticator.known(credentialsOf(request));
  if (caller !== null && cache !== undefined) {
    const { projectId, userId } = caller.identity;
    const cached = await app.cache.read(cacheKeyFor(cache, caller.identity));
    if (cached !== null) {
      Object.assign(response.locals, { route: path, projectId, userId });
      sendCached(request, response, cached);
      return;
    }
  }
  otherwise(request, response);
}

/** Lists that any member of the project may read, of services that are there. */
function isOpenList({ config }: AppContext, endpoint: AnyEndpoint): boolean {
  const { access, cache, method, path, service } = endpoint;
  const isEnabled = service === undefined || config.services[service];
  return cache !== undefined && method === 'GET' && access === 'project' && isEnabled && !path.includes(':');
}
