import { once } from 'node:events';
import type { Server } from 'node:http';

const IDLE_CHECK_INTERVAL_MS = 50;

/**
 * Resolves with the bound address once the server listens; rejects if it cannot listen. Port
 * 0 selects a free port.
 */
export async function listen(
  server: Server,
  at: { host: string; port: number },
): Promise<{ host: string; port: number }> {
  server.listen(at.port, at.host);
  // Rejects if the server emits `error` first.
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server has no network address.');
  return { host: address.address, port: address.port };
}

/**
 * Stops accepting connections, closes idle connections, waits up to `graceMs` for requests in progress, and
 * then closes all connections. Does nothing if the server is not listening.
 */
export async function closeServer(server: Server, { graceMs }: { graceMs: number }): Promise<void> {
  if (!server.listening) return;
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  // `close` closes the connections that are idle now. The interval closes those that become idle later.
  const idleCheck = setInterval(() => server.closeIdleConnections(), IDLE_CHECK_INTERVAL_MS);
  const timeout = setTimeout(() => server.closeAllConnections(), graceMs);
  await closed;
  clearInterval(idleCheck);
  clearTimeout(timeout);
}
