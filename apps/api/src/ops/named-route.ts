import type { RequestHandler } from 'express';
import { addLocals } from '../http/response/gateway-response.ts';

/** Sets the name of the route in logs and metrics. */
export function namedRoute(route: string): RequestHandler {
  return (request, response, next) => {
    addLocals(response, { route, address: request.ip });
    next();
  };
}
