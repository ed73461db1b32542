import { JOB_METADATA_KEY, jobDescription } from '@gateway/core';
import { nullIfNotFound, type PortRecord, requireWholeServer, type ServerRecord } from '@gateway/openstack';
import { instanceActions } from '@gateway/resources';
import type { RequestContext } from '../../pipeline/request-context.ts';
import { listOwnFloatingIps, releaseFloatingIps } from '../../resources/instance-floating-ips.ts';
import { getOwnPort, noSuchPort } from '../../resources/instance-ports.ts';
import { explainRefusal } from '../../resources/instance-state.ts';
import { getOwnServer } from '../../resources/read-instance.ts';
import { requireAction } from '../../resources/require-action.ts';
import { waitForAddresses } from '../../resources/wait-for-addresses.ts';
import { findGrants, revokeGrants } from './share-grants.ts';

/**
 * Disconnects a port from an instance. The compute service deletes the ports that it has created; a port that
 * the gateway has created is deleted here, after no share grants access to its address any more. Each part
 * can be repeated: a repeat of an interrupted request completes it, and so does the deletion of the instance.
 */
export async function disconnectPort(
  request: RequestContext,
  instanceId: string,
  portId: string,
): Promise<void> {
  const server = await getOwnServer(request, instanceId);
  requireWholeServer(server);
  const port = await getOwnPort(request, portId);
  const jobId = creatorOf(server, port);
  const isConnected = port.device_id === server.id;
  // An unconnected port of the gateway remains from an interrupted request.
  if (!isConnected && (jobId === null || port.device_id !== '')) throw noSuchPort();
  const grants = jobId === null ? [] : await findGrants(request, server, { port, jobId });
  const floatingIps = await listOwnFloatingIps(request, server, [port.id]);
  if (isConnected) await detach(request, server, port);

  await revokeGrants(request, grants);
  await releaseFloatingIps(request, floatingIps);
  if (jobId !== null) await nullIfNotFound(request.openstack.network.ports.remove(port.id));
}

/** The job that has created the port together with the instance; null for other ports. */
function creatorOf({ metadata }: ServerRecord, { description }: PortRecord): string | null {
  const jobId = metadata?.[JOB_METADATA_KEY];
  return jobId !== undefined && description === jobDescription(jobId) ? jobId : null;
}

/**
 * Waits until the compute service shows the instance without the port: it accepts the request before it acts.
 */
async function detach(request: RequestContext, server: ServerRecord, port: PortRecord): Promise<void> {
  requireAction(request, instanceActions.remove_interface, server);
  try {
    await request.openstack.compute.interfaces.remove(server.id, port.id);
  } catch (error) {
    throw await explainRefusal(request, server.id, instanceActions.remove_interface, error);
  }
  await waitForAddresses(request, server.id, (addresses) =>
    addresses.every((address) => address['OS-EXT-IPS-MAC:mac_addr'] !== port.mac_address),
  );
}
