import { once } from 'node:events';
import type { Server } from 'node:http';

const SWEEP_INTERVAL_MS = 50;

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
  // `close` ends the connections that are idle now; those that become so with their answer are ended here.
  const sweep = setInterval(() => server.closeIdleConnections(), SWEEP_INTERVAL_MS);
  const cut = setTimeout(() => server.closeAllConnections(), graceMs);
  await closed;
  clearInterval(sweep);
  clearTimeout(cut);
}
