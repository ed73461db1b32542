import { notFound } from '@gateway/core';
import { type BoundClient, isNotFound, type ServerRecord, type VolumeRecord } from '@gateway/openstack';
import {
  cachedLists,
  type InstanceDetail,
  type ListSources,
  presentInstanceDetail,
  readList,
  surroundingsOf,
} from '@gateway/views';

/** One instance with all that is told of it; flavors and images come from the cache where they are known. */
export async function readInstanceDetail(sources: ListSources, instanceId: string): Promise<InstanceDetail> {
  const [server, flavors] = await Promise.all([
    getServerOfProject({ openstack: sources.openstack, projectId: sources.reader.projectId }, instanceId),
    readList(cachedLists.flavors, sources),
  ]);
  const attached = server['os-extended-volumes:volumes_attached'];
  if (server.image !== '') {
    const images = await readList(cachedLists.images, sources);
    return presentInstanceDetail(server, surroundingsOf(flavors, images, []));
  }
  const volumes = await Promise.all(attached.map(({ id }) => readVolume(sources, id)));
  return presentInstanceDetail(
    server,
    surroundingsOf(
      flavors,
      [],
      volumes.filter((volume) => volume !== null),
    ),
  );
}

/** An administrator's token reaches the servers of all projects; here they are there for their own project only. */
export async function getServerOfProject(
  { openstack, projectId }: { openstack: BoundClient; projectId: string },
  instanceId: string,
): Promise<ServerRecord> {
  const server = await openstack.compute.servers.get(instanceId);
  if (server.tenant_id !== projectId) throw notFound('There is no such instance in this project.');
  return server;
}

/** A volume that goes away meanwhile does not make its instance unreadable. */
async function readVolume({ openstack }: ListSources, volumeId: string): Promise<VolumeRecord | null> {
  try {
    return await openstack.blockStorage.volumes.get(volumeId);
  } catch (error) {
    if (isNotFound(error)) return null;
    throw error;
  }
}
