import type { IncomingMessage, ServerResponse } from 'node:http';
import { requestIdFrom } from '@gateway/core';
import type { GatewayResponse } from '../response/gateway-response.ts';
import { headerText } from './credentials.ts';

/** Assigns the request id: the one that the client sent if it is well formed, else a new one. */
export function assignRequestId({ headers }: IncomingMessage, response: ServerResponse): GatewayResponse {
  const requestId = requestIdFrom(
    headerText(headers['x-request-id']),
    headerText(headers['x-openstack-request-id']),
  );
  const identified = response as GatewayResponse;
  identified.locals = { requestId };
  return identified;
}
