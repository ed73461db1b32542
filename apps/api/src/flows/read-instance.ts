import { notFound } from '@gateway/core';
import { type BoundClient, nullIfNotFound, type ServerRecord } from '@gateway/openstack';
import {
  flavorList,
  type InstanceDetail,
  imageList,
  indexRelatedRecords,
  type ListSources,
  presentInstanceDetail,
} from '@gateway/views';
import type { RequestContext } from '../pipeline/request-context.ts';

/** Reads one instance in detail. Flavors and images come from the cache if possible. */
export async function readInstanceDetail(sources: ListSources, instanceId: string): Promise<InstanceDetail> {
  const [server, flavors] = await Promise.all([
    getServerOfProject({ openstack: sources.openstack, projectId: sources.reader.projectId }, instanceId),
    flavorList.read(sources),
  ]);
  const attached = server['os-extended-volumes:volumes_attached'];
  if (server.image !== '') {
    const images = await imageList.read(sources);
    return presentInstanceDetail(server, indexRelatedRecords({ flavors, images }));
  }
  const { volumes: records } = sources.openstack.blockStorage;
  // A volume that was deleted meanwhile does not make its instance unreadable.
  const volumes = await Promise.all(attached.map(({ id }) => nullIfNotFound(records.get(id))));
  return presentInstanceDetail(
    server,
    indexRelatedRecords({ flavors, volumes: volumes.filter((volume) => volume !== null) }),
  );
}

/** Administrators' tokens reach servers of all projects, so this checks the project. Throws 404. */
export async function getServerOfProject(
  { openstack, projectId }: { openstack: BoundClient; projectId: string },
  instanceId: string,
): Promise<ServerRecord> {
  const server = await openstack.compute.servers.get(instanceId);
  if (server.tenant_id !== projectId) throw notFound('There is no such instance in this project.');
  return server;
}

/** The same for the project of the caller. */
export function getOwnServer(
  { caller, openstack }: Pick<RequestContext, 'caller' | 'openstack'>,
  instanceId: string,
): Promise<ServerRecord> {
  return getServerOfProject({ openstack, projectId: caller.identity.projectId }, instanceId);
}
