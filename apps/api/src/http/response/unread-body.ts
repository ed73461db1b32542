import type { IncomingMessage, ServerResponse } from 'node:http';

/**
 * How long a caller who is answered already may go on to send. What comes is thrown away: a connection that is cut while
 * bytes are under way takes the answer with it.
 */
const LINGER_MS = 1_000;

/** Ends an answer whose headers say that the connection closes. The caller has all of it before the connection goes. */
export function endUnread(response: ServerResponse, body: string): void {
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

/** To be called once the answer has gone out: the connection goes unless the rest of the request comes soon. */
export function closeUnlessComplete(request: IncomingMessage): void {
  if (request.complete || request.socket.destroyed) return;
  const cut = () => {
    if (!request.complete) request.socket.destroy();
  };
  setTimeout(cut, LINGER_MS).unref();
}
