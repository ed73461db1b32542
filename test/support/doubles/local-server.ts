import { once } from 'node:events';
import type { AddressInfo, Server, Socket } from 'node:net';

/** The open connections of each server. */
const connections = new WeakMap<Server, Set<Socket>>();

/**
 * Starts a server on 127.0.0.1, of HTTP, TLS or bare connections, by default at a free port.
 * Returns the port.
 */
export async function listenLocally(server: Server, port = 0): Promise<number> {
  if (!connections.has(server)) connections.set(server, trackConnections(server));
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return portOf(server);
}

export function portOf(server: Server): number {
  return (server.address() as AddressInfo).port;
}

export function connectionsOf(server: Server): ReadonlySet<Socket> {
  return connections.get(server) ?? new Set();
}

/** Ends all connections, and stops listening. Does nothing if the server does not listen. */
export async function stopListening(server: Server): Promise<void> {
  if (!server.listening) return;
  for (const socket of connectionsOf(server)) socket.destroy();
  server.close();
  await once(server, 'close');
}

function trackConnections(server: Server): Set<Socket> {
  const open = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    open.add(socket);
    // A connection that fails is closed, too.
    socket.on('error', () => {}).once('close', () => open.delete(socket));
  });
  return open;
}
