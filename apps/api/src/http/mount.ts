import { methodNotAllowed } from '@gateway/core';
import { type Express, Router } from 'express';
import type { AppContext } from '../context.ts';
import type { AnyEndpoint, Method } from './endpoint.ts';
import { sendError } from './error-handler.ts';
import { handle } from './pipeline.ts';
import { requestIdOf } from './request-id.ts';

/**
 * Mounts endpoints in the order of the table, a router per first path segment, so that a request is matched
 * against its own resource's routes only. A path that exists with other methods answers 405.
 */
export function mountEndpoints(server: Express, app: AppContext, endpoints: readonly AnyEndpoint[]): void {
  const routers = new Map<string, Router>();
  for (const endpoint of endpoints) {
    const [prefix, rest] = splitPath(endpoint.path);
    const router = routers.get(prefix) ?? Router({ caseSensitive: true });
    routers.set(prefix, router);
    router[verb(endpoint.method)](rest, handle(app, endpoint));
  }
  for (const [path, methods] of methodsByPath(endpoints)) {
    const [prefix, rest] = splitPath(path);
    routers.get(prefix)?.all(rest, (request, response) => {
      response.locals.route = path;
      response.setHeader('Allow', methods.join(', '));
      const error = methodNotAllowed(`${request.method} is not possible here.`);
      sendError(response, error, requestIdOf(response), app.logger);
    });
  }
  for (const [prefix, router] of routers) server.use(prefix, router);
}

/** `/api/instances/:instance_id` is `/api/instances` and `/:instance_id`. */
function splitPath(path: string): [prefix: string, rest: string] {
  const [, api, resource, ...rest] = path.split('/');
  return [`/${api}/${resource}`, `/${rest.join('/')}`];
}

function methodsByPath(endpoints: readonly AnyEndpoint[]): Map<string, string[]> {
  const byPath = new Map<string, string[]>();
  for (const { method, path } of endpoints) {
    const methods = byPath.get(path) ?? [];
    methods.push(...(method === 'GET' ? ['GET', 'HEAD'] : [method]));
    byPath.set(path, methods);
  }
  return byPath;
}

function verb(method: Method): 'get' | 'post' | 'put' | 'patch' | 'delete' {
  return method.toLowerCase() as 'get' | 'post' | 'put' | 'patch' | 'delete';
}
