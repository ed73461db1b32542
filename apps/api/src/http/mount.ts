import { methodNotAllowed } from '@gateway/core';
import { type Express, type RequestHandler, Router } from 'express';
import type { AppContext } from '../context.ts';
import type { AnyEndpoint, Method } from './endpoint.ts';
import { sendError } from './error-handler.ts';
import { handle } from './pipeline.ts';
import { requestIdOf } from './request-id.ts';

/**
 * Mounts endpoints in the order of the table, a router per first path segment, so that a request is matched
 * against its own resource's routes only. A path that exists with other methods answers 405, before a path
 * further down can take it for an id.
 */
export function mountEndpoints(server: Express, app: AppContext, endpoints: readonly AnyEndpoint[]): void {
  const routers = new Map<string, Router>();
  for (const [path, ofPath] of Map.groupBy(endpoints, (endpoint) => endpoint.path)) {
    const [prefix, rest] = splitPath(path);
    const router = routers.get(prefix) ?? Router({ caseSensitive: true });
    routers.set(prefix, router);
    for (const endpoint of ofPath) router[verb(endpoint.method)](rest, handle(app, endpoint));
    router.all(rest, refuseMethod(app, path, allowedMethods(ofPath)));
  }
  for (const [prefix, router] of routers) server.use(prefix, router);
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

/** `/api/instances/:instance_id` is `/api/instances` and `/:instance_id`. */
function splitPath(path: string): [prefix: string, rest: string] {
  const [, api, resource, ...rest] = path.split('/');
  return [`/${api}/${resource}`, `/${rest.join('/')}`];
}

function verb(method: Method): 'get' | 'post' | 'put' | 'patch' | 'delete' {
  return method.toLowerCase() as 'get' | 'post' | 'put' | 'patch' | 'delete';
}
