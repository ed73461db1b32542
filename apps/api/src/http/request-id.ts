import type { IncomingMessage, ServerResponse } from 'node:http';
import { requestIdFrom } from '@gateway/core';
import type { Answer } from './answer.ts';
import { headerText } from './credentials.ts';

/** Gives a request its id: the caller's where it has the right form. */
export function giveRequestId({ headers }: IncomingMessage, response: ServerResponse): Answer {
  const requestId = requestIdFrom(
    headerText(headers['x-request-id']),
    headerText(headers['x-openstack-request-id']),
  );
  return Object.assign(response, { locals: { requestId } });
}

export function requestIdOf({ locals }: Pick<Answer, 'locals'>): string {
  return String(locals.requestId);
}
