import { methodNotAllowed } from '@gateway/core';
import { type IRouter, type RequestHandler, Router } from 'express';
import type { AppContext } from '../context.ts';
import { prefers } from '../http/request/preferences.ts';
import { sendError } from '../http/response/error-handler.ts';
import { addLocals, requestIdOf } from '../http/response/gateway-response.ts';
import type { AnyEndpoint, Method } from './endpoint.ts';
import { createRequestHandler } from './request-handler.ts';

/**
 * Mounts the endpoints in their order, each resource as a router of its own. A path that exists only with
 * other methods answers 405, even if a later path with parameters would match it, unless users choose the
 * parameter: a key pair may be named `types`.
 */
export function mountEndpoints(server: IRouter, app: AppContext, endpoints: readonly AnyEndpoint[]): void {
  for (const [resource, ofResource] of Map.groupBy(endpoints, ({ path }) => resourceOf(path))) {
    server.use(
      resource,
      onFirstRequest(() => createRouter(app, resource, ofResource)),
    );
  }
}

/** Creates a router with the first request, so that a process starts sooner. */
function onFirstRequest(create: () => Router): RequestHandler {
  let router: Router | null = null;
  return (request, response, next) => {
    router ??= create();
    router(request, response, next);
  };
}

/** The router of one resource, whose paths follow that of the resource. */
function createRouter(app: AppContext, resource: string, endpoints: readonly AnyEndpoint[]): Router {
  const router = Router({ caseSensitive: true });
  for (const [path, samePath] of Map.groupBy(endpoints, (endpoint) => endpoint.path)) {
    const route = router.route(path.slice(resource.length) || '/');
    for (const endpoint of samePath) route[verb(endpoint.method)](byPreference(app, endpoint));
    const ofNames = endpoints.filter((endpoint) => isNameBeside(path, endpoint.path));
    const refuse = refuseMethod(app, path, allowedMethods([...samePath, ...ofNames]));
    route.all((request, response, next) =>
      ofNames.some(({ method }) => method === request.method) ? next() : refuse(request, response, next),
    );
  }
  return router;
}

/** Requests with a preference that the endpoint supports are served by another declaration. */
function byPreference(app: AppContext, endpoint: AnyEndpoint): RequestHandler {
  const handler = createRequestHandler(app, endpoint);
  const { preferred } = endpoint;
  if (preferred?.preference === undefined) return handler;
  const { preference } = preferred;
  const preferredHandler = createRequestHandler(app, preferred);
  return (request, response, next) => {
    if (!prefers(request, preference)) return handler(request, response, next);
    response.vary('Prefer');
    return preferredHandler(request, response, next);
  };
}

function refuseMethod(app: AppContext, path: string, allowed: string): RequestHandler {
  return (request, response) => {
    addLocals(response, { route: path });
    response.setHeader('Allow', allowed);
    const error = methodNotAllowed(`${request.method} is not allowed here.`);
    sendError(response, error, requestIdOf(response), app.logger);
  };
}

function allowedMethods(endpoints: readonly AnyEndpoint[]): string {
  return endpoints.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method])).join(', ');
}

/** Whether the path is `/api/keypairs/types` and the other one `/api/keypairs/:keypair_name`. */
function isNameBeside(path: string, other: string): boolean {
  const parent = path.slice(0, path.lastIndexOf('/'));
  return path !== other && other.startsWith(`${parent}/:`) && other.endsWith('_name');
}

/** `/api/instances/:instance_id` belongs to `/api/instances`. */
function resourceOf(path: string): string {
  const end = path.indexOf('/', path.indexOf('/', 1) + 1);
  return end === -1 ? path : path.slice(0, end);
}

function verb(method: Method): 'get' | 'post' | 'put' | 'patch' | 'delete' {
  return method.toLowerCase() as 'get' | 'post' | 'put' | 'patch' | 'delete';
}
