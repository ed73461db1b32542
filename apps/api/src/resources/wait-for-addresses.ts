import { type ServerAddress, type ServerRecord, waitForAddresses as waitFor } from '@gateway/openstack';
import type { RequestContext } from '../pipeline/request-context.ts';

/** Waits as `waitForAddresses` of the client, at most until this process stops. */
export function waitForAddresses(
  { app, openstack }: Pick<RequestContext, 'app' | 'openstack'>,
  serverId: string,
  isCurrent: (addresses: ServerAddress[]) => boolean,
): Promise<ServerRecord | null | undefined> {
  const { signal } = app.waitAbort;
  return waitFor(openstack.compute.servers, serverId, isCurrent, {
    intervalMs: app.config.jobs.pollIntervalMs,
    signal,
  });
}
