import { IncomingMessage, type RequestListener, type ServerOptions, ServerResponse } from 'node:http';
import { invalidInput, routeNotFound } from '@gateway/core';
import express, { type ErrorRequestHandler, type Express, type RequestHandler } from 'express';
import type { AppContext } from './context.ts';
import { reduceForwardedFor } from './http/request/client-address.ts';
import { keepTrustedPrefix } from './http/request/path-prefix.ts';
import { parseQuery } from './http/request/query.ts';
import { instrumentRequest } from './http/request/request-logging.ts';
import type { SessionCookies } from './http/request/session-cookies.ts';
import { traceRequests } from './http/request/trace-requests.ts';
import { crossOrigin } from './http/response/cross-origin.ts';
import { sendError } from './http/response/error-handler.ts';
import { requestIdOf } from './http/response/gateway-response.ts';
import { mountDocumentation } from './openapi/mount-documentation.ts';
import { operatorsPage } from './ops/operators-page.ts';
import { mountEndpoints } from './pipeline/mount-endpoints.ts';
import { endpoints } from './routes/index.ts';

type MessageClasses = Pick<ServerOptions, 'IncomingMessage' | 'ServerResponse'>;

/** The listener, with the classes that its server has to use. */
interface Listener extends MessageClasses {
  listener: RequestListener;
}

/**
 * The listener of the HTTP server. Express answers every request; what comes before it is logged and measured
 * even if Express refuses the address.
 */
export function createListener(app: AppContext): Listener {
  const server = createApp(app);
  const messages = messageClasses(server);
  const listener: RequestListener = (request, response) => {
    reduceForwardedFor(request);
    keepTrustedPrefix(app.config, request);
    instrumentRequest(app, request, response);
    server(request, response);
  };
  return { ...messages, listener: app.tracing === null ? listener : traceRequests(app.tracing, listener) };
}

/**
 * Classes of requests and responses that have the prototypes of the application from the start. Express sets
 * these for each request otherwise, and V8 is slower with an object whose prototype has changed.
 */
function messageClasses(server: Express): MessageClasses {
  class AppRequest extends IncomingMessage {}
  class AppResponse<Request extends IncomingMessage> extends ServerResponse<Request> {}
  server.request = Object.setPrototypeOf(AppRequest.prototype, server.request);
  server.response = Object.setPrototypeOf(AppResponse.prototype, server.response);
  return { IncomingMessage: AppRequest, ServerResponse: AppResponse };
}

/** The Express application. Requests pass its parts in this order. */
function createApp(app: AppContext): Express {
  const server = express();
  server.disable('x-powered-by');
  server.set('etag', false);
  server.set('query parser', parseQuery);
  server.set('case sensitive routing', true);
  server.set('trust proxy', app.config.http.trustedProxies);

  const cors = crossOrigin(app.config.http);
  if (cors !== null) server.use(cors);
  if (app.sessionCookies !== null) server.use(readSessionCookie(app.sessionCookies));

  mountEndpoints(server, app, endpoints);
  mountDocumentation(server, app, endpoints);
  if (app.config.ops.enabled) server.use('/ops', operatorsPage(app));
  server.use(answerUnknownRoute(app));
  server.use(handleExpressErrors(app));
  return server;
}

function readSessionCookie(cookies: SessionCookies): RequestHandler {
  return (request, _response, next) => {
    cookies.authenticate(request);
    next();
  };
}

function answerUnknownRoute(app: AppContext): RequestHandler {
  return (_request, response) => {
    sendError(
      response,
      routeNotFound('There is nothing at this address.'),
      requestIdOf(response),
      app.logger,
    );
  };
}

/** Handles errors of Express itself: a path that cannot be decoded, a condition that no file meets. */
function handleExpressErrors(app: AppContext): ErrorRequestHandler {
  return (error, _request, response, _next) => {
    const { status } = error as { status?: number };
    const detail = status === 412 ? 'A condition in the headers is not met.' : 'The address is malformed.';
    const isOfRequest = status === 400 || status === 412;
    const thrown = isOfRequest ? invalidInput(detail, { cause: error }) : error;
    sendError(response, thrown, requestIdOf(response), app.logger);
  };
}
