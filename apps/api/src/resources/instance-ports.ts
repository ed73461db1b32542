import { notFound } from '@gateway/core';
import { nullIfNotFound, type PortRecord } from '@gateway/openstack';
import type { RequestContext } from '../pipeline/request-context.ts';

type PortReader = Pick<RequestContext, 'caller' | 'openstack'>;

/**
 * The ports of a server in the order of their creation: the first is the one that the server was created
 * with.
 */
export async function listInstancePorts(
  { caller, openstack }: PortReader,
  serverId: string,
): Promise<PortRecord[]> {
  const { projectId } = caller.identity;
  const ports = await openstack.network.ports.list({ device_id: serverId, project_id: projectId });
  return ports.toSorted((a, b) => a.created_at.localeCompare(b.created_at) || a.id.localeCompare(b.id));
}

/** A port of the project. Administrators' tokens reach ports of all projects. Throws 404. */
export async function getOwnPort({ caller, openstack }: PortReader, portId: string): Promise<PortRecord> {
  const port = await nullIfNotFound(openstack.network.ports.get(portId));
  if (port === null || port.project_id !== caller.identity.projectId) throw noSuchPort();
  return port;
}

export function noSuchPort() {
  return notFound('The instance has no such port.');
}
