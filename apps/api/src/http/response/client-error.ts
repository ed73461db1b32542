import type { Socket } from 'node:net';
import { GatewayError, invalidInput, newRequestId } from '@gateway/core';
import { errorBody } from './error-handler.ts';

const TOO_LARGE = new GatewayError(431, 'headers_too_large', 'The headers of the request are too large.');
const TOO_SLOW = new GatewayError(408, 'request_timeout', 'The request did not arrive in time.');
const MALFORMED = invalidInput('The request is not well-formed HTTP.');

/** The connection was lost, or there is no TLS with this client. */
const IS_LOST = /^(?:ECONNRESET$|EPROTO$|ERR_SSL_|ERR_TLS_)/;

/**
 * Listener for a server's `clientError`. Responds to malformed HTTP, and to headers that are too large or
 * arrive too slowly: none of these becomes a request.
 */
export function handleClientError(error: NodeJS.ErrnoException, socket: Socket): void {
  if (IS_LOST.test(error.code ?? '') || !socket.writable) {
    socket.destroy();
    return;
  }
  const known = { HPE_HEADER_OVERFLOW: TOO_LARGE, ERR_HTTP_REQUEST_TIMEOUT: TOO_SLOW }[error.code ?? ''];
  const answer = known ?? MALFORMED;
  const requestId = newRequestId();
  const body = JSON.stringify(errorBody(answer, requestId));
  const headers = [
    `HTTP/1.1 ${answer.status} ${answer.message.replace('.', '')}`,
    'Connection: close',
    'Cache-Control: no-store',
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${requestId}`,
  ];
  socket.end(`${headers.join('\r\n')}\r\n\r\n${body}`);
  // Otherwise the connection would stay half-open if the client never closes it.
  socket.destroySoon();
}
