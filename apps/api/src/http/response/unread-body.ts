import type { IncomingMessage, ServerResponse } from 'node:http';

/**
 * How long a client may continue to send its request after the response. The rest of the request is
 * discarded. Closing the connection at once could discard the response that is still on its way.
 */
const LINGER_MS = 1_000;

/** Sends the body of a response with `Connection: close`, and leaves the client time to read the response. */
export function endAndDiscardRequest(response: ServerResponse, body: string): void {
  const request = response.req;
  const end = () => {
    clearTimeout(timer);
    response.end();
  };
  const timer = setTimeout(end, LINGER_MS);
  response.write(body);
  request.once('close', end);
  request.resume();
}

/** Call it after the response. Closes the connection unless the rest of the request arrives soon. */
export function closeUnlessComplete(request: IncomingMessage): void {
  if (request.complete || request.socket.destroyed) return;
  const destroy = () => {
    if (!request.complete) request.socket.destroy();
  };
  setTimeout(destroy, LINGER_MS).unref();
}
