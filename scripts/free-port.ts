import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

const loopback = '127.0.0.1';

/**
 * Below the ports that systems give to outgoing connections: one of those could take the port before its server listens,
 * or while the server is being restarted.
 */
const FIRST_PORT = 15_000;
const LAST_PORT = 29_999;
const MAX_TRIES = 100;

/** A port of the loopback interface that nobody listens on at the moment. */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const port = await tryListen(randomInt(FIRST_PORT, LAST_PORT + 1));
    if (port !== undefined) return port;
  }
  throw new Error('no free port on the loopback interface');
}

/** The wanted port when nobody listens on it, any free one otherwise. */
export async function freePortNear(wanted: number): Promise<number> {
  return (await tryListen(wanted)) ?? (await freePort());
}

/** Whether a server could listen on that port now; port 0 is always free. */
export async function isPortFree(port: number): Promise<boolean> {
  return (await tryListen(port)) !== undefined;
}

/** Listens for a moment, so that what it answers is what the next listener will find. */
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
