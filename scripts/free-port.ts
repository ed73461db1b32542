import { randomInt } from 'node:crypto';
import { createServer, type Server } from 'node:net';

const loopback = '127.0.0.1';

/**
 * Below the ports of outgoing connections, because an outgoing connection could take the port before its
 * server listens or while the server restarts.
 */
const FIRST_PORT = 15_000;
const BLOCK_SIZE = 500;
const BLOCKS = 34;

/**
 * A block of ports that only this process takes from: a server listens seconds after its port was chosen, and
 * another test process must not choose the same port meanwhile.
 */
interface Block {
  first: number;
  /** Ports that were returned so far. */
  taken: number;
}

let block: Promise<Block> | undefined;

/** A free loopback port, not returned for the last 499 calls: its server may be restarting. */
export async function freePort(): Promise<number> {
  block ??= claimBlock();
  const own = await block;
  for (let tries = 1; tries < BLOCK_SIZE; tries += 1) {
    const port = own.first + 1 + (own.taken++ % (BLOCK_SIZE - 1));
    if (await isPortFree(port)) return port;
  }
  throw new Error('no free port on the loopback interface');
}

/** The preferred port when it is free, otherwise any free port; never 0. */
export async function freePortNear(wanted: number): Promise<number> {
  return wanted !== 0 && (await isPortFree(wanted)) ? wanted : await freePort();
}

/** Whether a server can listen on the port; port 0 is always free. */
export async function isPortFree(port: number): Promise<boolean> {
  const server = await tryListen(port);
  if (server === undefined) return false;
  await new Promise((resolve) => server.close(resolve));
  return true;
}

/** Listens on the first port of a block until this process ends. */
async function claimBlock(): Promise<Block> {
  const start = randomInt(BLOCKS);
  for (let tries = 0; tries < BLOCKS; tries += 1) {
    const first = FIRST_PORT + ((start + tries) % BLOCKS) * BLOCK_SIZE;
    const claim = await tryListen(first);
    if (claim === undefined) continue;
    claim.unref();
    return { first, taken: 0 };
  }
  throw new Error('no free block of ports on the loopback interface');
}

/** Listens, as the most reliable check. Undefined when the port is in use. */
function tryListen(port: number): Promise<Server | undefined> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE' || error.code === 'EACCES') resolve(undefined);
      else reject(error);
    });
    server.listen({ port, host: loopback, exclusive: true }, () => resolve(server));
  });
}
