import { GatewayError, sleep } from '@gateway/core';
import type { ServerAddress, ServerRecord, Servers } from '../compute/index.ts';
import { nullIfNotFound } from '../errors/index.ts';

/** The compute service learns of changes in the network within two or three seconds. */
const WAIT_MS = 8_000;

export interface AddressWait {
  intervalMs: number;
  /** Ends the wait early. */
  signal: AbortSignal;
}

/**
 * Waits a short time until the compute service shows the addresses of a server as they are now, so that lists which are read
 * next show them too. Never fails because of the wait. Returns the server as last read; null if it is gone, undefined if it could not be
 * read.
 */
export async function waitForAddresses(
  servers: Pick<Servers, 'get'>,
  serverId: string,
  isCurrent: (addresses: ServerAddress[]) => boolean,
  { intervalMs, signal }: AddressWait,
): Promise<ServerRecord | null | undefined> {
  const deadline = performance.now() + WAIT_MS;
  let server: ServerRecord | null | undefined;
  try {
    for (;;) {
      server = await nullIfNotFound(servers.get(serverId));
      if (server === null || isCurrent(Object.values(server.addresses).flat())) return server;
      if (performance.now() > deadline) return server;
      await sleep(intervalMs, signal);
    }
  } catch (error) {
    if (!(error instanceof GatewayError) && !signal.aborted) throw error;
    return server;
  }
}
