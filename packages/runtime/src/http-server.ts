import { once } from 'node:events';
import type { Server } from 'node:http';

/** Resolves with the address taken once the server listens (port 0 takes a free one); rejects when it can not. */
export async function listen(
  server: Server,
  at: { host: string; port: number },
): Promise<{ host: string; port: number }> {
  server.listen(at.port, at.host);
  // Rejects when the server says `error` first.
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server has no network address.');
  return { host: address.address, port: address.port };
}

/**
 * Stops accepting, closes idle connections, waits up to `graceMs` for answers in hand, then cuts what is
 * left. A server that does not listen is closed already.
 */
export async function closeServer(server: Server, { graceMs }: { graceMs: number }): Promise<void> {
  if (!server.listening) return;
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  // `close` ends the connections that are idle now; one that becomes idle later is ended with its answer.
  const endWithAnswer = (
    _request: unknown,
    response: { once(event: 'close', then: () => void): unknown },
  ) => {
    response.once('close', () => server.closeIdleConnections());
  };
  server.prependListener('request', endWithAnswer);
  const sweep = setInterval(() => server.closeIdleConnections(), 100);
  const cut = setTimeout(() => server.closeAllConnections(), graceMs);
  try {
    await closed;
  } finally {
    clearInterval(sweep);
    clearTimeout(cut);
    server.removeListener('request', endWithAnswer);
  }
}
