import { once } from 'node:events';
import type { Server } from 'node:http';
import { Server as HttpsServer } from 'node:https';
import type { Socket } from 'node:net';

const IDLE_CHECK_INTERVAL_MS = 50;
/** A client that has just connected sends its request within this time. */
const FIRST_REQUEST_MS = 1_000;

/** The open connections of each server. */
const connections = new WeakMap<Server, Set<Socket>>();

/**
 * Resolves with the bound address once the server listens; rejects if it cannot listen. Port
 * 0 selects a free port.
 */
export async function listen(
  server: Server,
  at: { host: string; port: number },
): Promise<{ host: string; port: number }> {
  connections.set(server, trackConnections(server));
  server.listen(at.port, at.host);
  // Rejects if the server emits `error` first.
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server has no network address.');
  return { host: address.address, port: address.port };
}

function trackConnections(server: Server): Set<Socket> {
  const open = new Set<Socket>();
  // Before that, a connection has received bytes of the handshake only.
  server.on(server instanceof HttpsServer ? 'secureConnection' : 'connection', (socket: Socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });
  return open;
}

/**
 * Stops accepting connections, closes idle connections, waits up to `graceMs` for requests in progress, and
 * then closes all connections. Does nothing if the server is not listening.
 *
 * Browsers and clients also open connections in advance. Node.js does not count those as idle.
 */
export async function closeServer(server: Server, { graceMs }: { graceMs: number }): Promise<void> {
  if (!server.listening) return;
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  // `close` closes the connections that are idle now. The interval closes those that become idle later.
  const idleCheck = setInterval(() => server.closeIdleConnections(), IDLE_CHECK_INTERVAL_MS);
  const unused = setTimeout(() => {
    for (const socket of connections.get(server) ?? []) if (socket.bytesRead === 0) socket.destroy();
  }, FIRST_REQUEST_MS);
  const timeout = setTimeout(() => server.closeAllConnections(), graceMs);
  await closed;
  clearInterval(idleCheck);
  clearTimeout(unused);
  clearTimeout(timeout);
}
