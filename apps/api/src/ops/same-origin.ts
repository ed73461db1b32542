import { forbidden } from '@gateway/core';
import type { RequestHandler } from 'express';
import { isRead, isSameOrigin, originOf } from '../http/request/same-origin.ts';

/**
 * Refuses requests other than reads unless the page itself has sent them. A request whose sender is not known
 * is refused too.
 */
export function requireSameOrigin(publicUrl: string | null): RequestHandler {
  const publicOrigin = originOf(publicUrl);
  return (request, _response, next) => {
    if (!isRead(request.method) && isSameOrigin(request, publicOrigin) !== true) {
      throw forbidden('This request did not come from the page itself.');
    }
    next();
  };
}
