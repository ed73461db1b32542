import { requestIdFrom } from '@gateway/core';
import type { RequestHandler, Response } from 'express';

/** Gives each request its id, the caller's where it has the right form. */
export function requestId(): RequestHandler {
  return (request, response, next) => {
    const id = requestIdFrom(request.get('x-request-id'), request.get('x-openstack-request-id'));
    response.locals.requestId = id;
    next();
  };
}

export function requestIdOf(response: Response): string {
  return response.locals.requestId as string;
}
