import type { RequestHandler } from 'express';
import { clientAddress } from '../http/request/client-address.ts';
import { addLocals } from '../http/response/gateway-response.ts';

/** Sets the name of the route in logs and metrics. */
export function namedRoute(route: string): RequestHandler {
  return (request, response, next) => {
    addLocals(response, { route, address: clientAddress(request) });
    next();
  };
}
