import { GatewayError, sleep } from '@gateway/core';
import { nullIfNotFound, type ServerAddress, type ServerRecord } from '@gateway/openstack';
import type { RequestContext } from '../pipeline/request-context.ts';

/** The compute service learns of changes in the network within two or three seconds. */
const WAIT_MS = 8_000;

/**
 * Waits a short time until the compute service shows the addresses of a server as they are now, so that lists
 * which are read next show them too. Never fails because of the wait. Returns the server as last read; null
 * if it is gone.
 */
export async function waitForAddresses(
  { app, logger, openstack }: Pick<RequestContext, 'app' | 'logger' | 'openstack'>,
  serverId: string,
  isCurrent: (addresses: ServerAddress[]) => boolean,
): Promise<ServerRecord | null | undefined> {
  const deadline = performance.now() + WAIT_MS;
  let server: ServerRecord | null | undefined;
  try {
    for (;;) {
      server = await nullIfNotFound(openstack.compute.servers.get(serverId));
      if (server === null || isCurrent(Object.values(server.addresses).flat())) return server;
      if (performance.now() > deadline) return server;
      await sleep(app.config.jobs.pollIntervalMs, app.waitAbort.signal);
    }
  } catch (error) {
    if (!(error instanceof GatewayError) && !app.waitAbort.signal.aborted) throw error;
    logger.debug('The addresses of a server could not be read', { error });
    return server;
  }
}
