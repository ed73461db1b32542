import { requestIdFrom } from '@gateway/core';
import type { Request, Response } from 'express';

/** Gives a request its id: the caller's where it has the right form. */
export function giveRequestId({ headers }: Request, response: Response): void {
  response.locals.requestId = requestIdFrom(
    textOf(headers['x-request-id']),
    textOf(headers['x-openstack-request-id']),
  );
}

export function requestIdOf(response: Response): string {
  return response.locals.requestId as string;
}

function textOf(header: string | string[] | undefined): string | undefined {
  return typeof header === 'string' ? header : undefined;
}
