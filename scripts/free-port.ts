import { createServer } from 'node:net';

const loopback = '127.0.0.1';

/** A port of the loopback interface that nobody listens on at the moment. */
export async function freePort(): Promise<number> {
  const port = await tryListen(0);
  if (port === undefined) throw new Error('no free port on the loopback interface');
  return port;
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
