import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

const loopback = '127.0.0.1';

/**
 * Below the ports of outgoing connections, because an outgoing connection could take the port before its
 * server listens or while the server restarts.
 */
const FIRST_PORT = 15_000;
const LAST_PORT = 29_999;
const MAX_TRIES = 100;

/** A loopback port that is free at the moment. */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const port = await tryListen(randomInt(FIRST_PORT, LAST_PORT + 1));
    if (port !== undefined) return port;
  }
  throw new Error('no free port on the loopback interface');
}

/** The preferred port when it is free, otherwise any free port. */
export async function freePortNear(wanted: number): Promise<number> {
  return (await tryListen(wanted)) ?? (await freePort());
}

/** Whether a server can listen on the port; port 0 is always free. */
export async function isPortFree(port: number): Promise<boolean> {
  return (await tryListen(port)) !== undefined;
}

/** Listens for a moment, as the most reliable check. Undefined when the port is in use. */
function tryListen(port: number): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE' || error.code === 'EACCES') resolve(undefined);
      else reject(error);
    });
    server.listen({ port, host: loopback, exclusive: true }, () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address ? address.port : undefined));
    });
  });
}
