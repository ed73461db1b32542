import { methodNotAllowed } from '@gateway/core';
import { type Express, type RequestHandler, Router } from 'express';
import type { AppContext } from '../context.ts';
import type { AnyEndpoint, Method } from './endpoint.ts';
import { sendError } from './error-handler.ts';
import { handle } from './pipeline.ts';
import { requestIdOf } from './request-id.ts';

/**
 * Mounts endpoints in the order of the table, a router per resource, which is looked up and not searched for:
 * a request is matched against its own resource's routes only, however many there are. A path that exists with
 * other methods answers 405, before a path further down can take it for an id.
 */
export function mountEndpoints(server: Express, app: AppContext, endpoints: readonly AnyEndpoint[]): void {
  const routers = new Map<string, Router>();
  for (const [path, ofPath] of Map.groupBy(endpoints, (endpoint) => endpoint.path)) {
    const resource = resourceOf(path);
    const router = routers.get(resource) ?? Router({ caseSensitive: true });
    routers.set(resource, router);
    for (const endpoint of ofPath) router[verb(endpoint.method)](path, handle(app, endpoint));
    router.all(path, refuseMethod(app, path, allowedMethods(ofPath)));
  }
  server.use((request, response, next) => {
    const router = routers.get(resourceOf(request.path));
    if (router === undefined) next();
    else router(request, response, next);
  });
}

function refuseMethod(app: AppContext, path: string, allowed: string): RequestHandler {
  return (request, response) => {
    response.locals.route = path;
    response.setHeader('Allow', allowed);
    const error = methodNotAllowed(`${request.method} is not possible here.`);
    sendError(response, error, requestIdOf(response), app.logger);
  };
}

function allowedMethods(endpoints: readonly AnyEndpoint[]): string {
  return endpoints.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method])).join(', ');
}

/** `/api/instances/:instance_id` is of `/api/instances`. */
function resourceOf(path: string): string {
  const end = path.indexOf('/', path.indexOf('/', 1) + 1);
  return end === -1 ? path : path.slice(0, end);
}

function verb(method: Method): 'get' | 'post' | 'put' | 'patch' | 'delete' {
  return method.toLowerCase() as 'get' | 'post' | 'put' | 'patch' | 'delete';
}
