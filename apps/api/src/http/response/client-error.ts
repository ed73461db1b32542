import type { Socket } from 'node:net';
import { GatewayError, invalidInput, newRequestId } from '@gateway/core';
import { errorBody } from './error-handler.ts';

const TOO_LARGE = new GatewayError(431, 'headers_too_large', 'The headers of the request are too large.');
const TOO_SLOW = new GatewayError(408, 'request_timeout', 'The request did not come in time.');
const MALFORMED = invalidInput('The request is not well-formed HTTP.');

/**
 * Answers what no handler sees: bytes that are not a request, headers that are too large or too slow. Listens to
 * a server's `clientError`.
 */
export function answerClientError(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const known = { HPE_HEADER_OVERFLOW: TOO_LARGE, ERR_HTTP_REQUEST_TIMEOUT: TOO_SLOW }[error.code ?? ''];
  const told = known ?? MALFORMED;
  const requestId = newRequestId();
  const body = JSON.stringify(errorBody(told, requestId));
  const head = [
    `HTTP/1.1 ${told.status} ${told.message.replace('.', '')}`,
    'Connection: close',
    'Cache-Control: no-store',
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${requestId}`,
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
  // A caller who never hangs up would keep its half of the connection.
  socket.destroySoon();
}
