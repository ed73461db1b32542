import { conflict, JOB_METADATA_KEY } from '@gateway/core';
import { knownMarks, nullIfNotFound, type PortRecord, type ProjectClient } from '@gateway/openstack';

/** Whose use of a port, and of the floating IPs on it, is a job's own. See decision 224. */
export interface OwnUse {
  /** Servers and load balancers. */
  deviceIds: readonly string[];
  /** Ports that are the job's own also without a device, such as those of a server that is gone. */
  portIds: readonly string[];
  /** A server with the mark of this job is its own, whether the job knows its id or not. */
  creationJobId?: string;
}

type PortUse = Pick<PortRecord, 'id' | 'device_id' | 'device_owner'>;

/**
 * Whether somebody else has the port. A port without a device that is not the job's own belongs to its user.
 *
 * @throws 409 if the services do not say who uses it
 */
export async function isOfOthers(
  { compute }: ProjectClient,
  { id, device_id: deviceId, device_owner: deviceOwner }: PortUse,
  { deviceIds, portIds, creationJobId }: OwnUse,
): Promise<boolean> {
  const isOwnPort = portIds.includes(id);
  if (deviceId === '') return !isOwnPort;
  if (deviceId === null) {
    if (isOwnPort) return false;
    throw unknownUser(id);
  }
  // The device of a load balancer is `lb-` or `ovn-lb-vip-` with its id.
  if (deviceIds.some((own) => deviceId === own || deviceId.endsWith(`-${own}`))) return false;
  if (creationJobId === undefined || !deviceOwner?.startsWith('compute:')) return true;
  const server = await nullIfNotFound(compute.servers.get(deviceId));
  // It has gone, and the compute service is about to free the port.
  if (server === null) throw unknownUser(id);
  return knownMarks('compute', server)[JOB_METADATA_KEY] !== creationJobId;
}

export function unknownUser(portId: string): Error {
  return conflict('in_use', `It is not known who uses port ${portId}.`);
}
