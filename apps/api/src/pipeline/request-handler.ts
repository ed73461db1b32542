import { GatewayError, routeNotFound, serviceDisabled } from '@gateway/core';
import type { RequestHandler } from 'express';
import type { AppContext } from '../context.ts';
import { checkLength, hasBody } from '../http/request/body.ts';
import { clientAddress } from '../http/request/client-address.ts';
import { errorOf, sendError } from '../http/response/error-handler.ts';
import { addLocals, requestIdOf } from '../http/response/gateway-response.ts';
import { isChosenId } from '../http/schemas/fields.ts';
import type { AnyEndpoint } from './endpoint.ts';
import { reportAnswer } from './report-end.ts';
import { cachedListServer } from './serve-cached-list.ts';
import { serveResult } from './serve-result.ts';

/**
 * Creates the handler of an endpoint's requests. It checks, in this order: the length of the body, whether
 * the service is enabled, the encoding of the query, the caller and their session, access to the project, the
 * role, whether the gateway is read-only, the rate limits, the input. The query of a cached list is checked
 * before its rate limits, which count only reads of the cloud. Then it reads the cache, or runs the handler
 * of the endpoint once for each `Idempotency-Key`; with such a key, the mode is checked when the handler
 * runs. All errors go to `sendError`.
 */
export function createRequestHandler(app: AppContext, endpoint: AnyEndpoint): RequestHandler {
  const serve = endpoint.cachedList === undefined ? serveResult : cachedListServer(app, endpoint);
  const isEnabled = endpoint.service === undefined || app.config.services[endpoint.service];
  return async (request, response) => {
    const { locals } = response;
    locals.route = endpoint.path;
    locals.onlyReads = endpoint.writes === 'nothing';
    locals.address = clientAddress(request);
    try {
      checkLength(request, app.config.http.bodyLimitBytes);
      // A body that nothing reads would make the request time out.
      if (endpoint.method === 'GET' && hasBody(request)) request.resume();
      if (!isEnabled)
        throw serviceDisabled(`This service is not enabled here (services.${settingOf(endpoint)}).`);
      // Express parses the query at each access.
      const { query } = request;
      await serve({ app, endpoint, request, response, query });
    } catch (error) {
      const failure = errorOf(orUnknownRoute(endpoint, request.params, error));
      addLocals(response, { errorCode: failure.code });
      if (!response.headersSent) await reportAnswer(app, endpoint, response, failure.status);
      sendError(response, failure, requestIdOf(response), app.logger);
    }
  };
}

/** The key of the service's switch, as in the configuration file. */
function settingOf({ service }: AnyEndpoint): string {
  return String(service).replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** Matches the names of literal paths, and no id that a service generates. */
const WORDS = /^[a-z]{3,}(?:[-_][a-z]+)*$/;

/**
 * The error of a request for a resource that does not exist. `/api/clusters/certificates` is not read as
 * the id of a cluster: `route_not_found` shows clients which endpoints a release lacks.
 */
function orUnknownRoute({ path }: AnyEndpoint, params: Record<string, unknown>, error: unknown): unknown {
  if (!(error instanceof GatewayError) || error.code !== 'not_found') return error;
  const name = /:(\w+_id)$/.exec(path)?.[1];
  if (name === undefined || isChosenId(name) || !WORDS.test(String(params[name]))) return error;
  return routeNotFound('There is nothing at this address.', { cause: error });
}
