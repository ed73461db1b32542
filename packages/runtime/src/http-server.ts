import type { Server } from 'node:http';

/** Resolves with the address taken once the server listens (port 0 takes a free one); rejects when it can not. */
export function listen(
  _server: Server,
  _at: { host: string; port: number },
): Promise<{ host: string; port: number }> {
  throw new Error('Not built yet.');
}

/**
 * Stops accepting, closes idle connections, waits up to `graceMs` for answers in hand, then cuts what is
 * left. A server that does not listen is closed already.
 */
export function closeServer(_server: Server, _options: { graceMs: number }): Promise<void> {
  throw new Error('Not built yet.');
}
