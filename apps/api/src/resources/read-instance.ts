import { notFound } from '@gateway/core';
import { type BoundClient, nullIfNotFound, type ServerRecord, type VolumeRecord } from '@gateway/openstack';
import {
  flavorList,
  type InstanceDetail,
  imageList,
  indexRelatedRecords,
  type ListSources,
  presentInstanceDetail,
} from '@gateway/views';
import type { RequestContext } from '../pipeline/request-context.ts';

/** Reads one instance of the project in detail. Flavors and images come from the cache if possible. */
export function readInstanceDetail(sources: ListSources, instanceId: string): Promise<InstanceDetail> {
  const { openstack, reader } = sources;
  return readDetail(sources, getServerOf({ openstack, projectId: reader.projectId }, instanceId));
}

/** The same for an instance of any project, for administrators. */
export function readAnyInstanceDetail(sources: ListSources, instanceId: string): Promise<InstanceDetail> {
  return readDetail(sources, sources.openstack.compute.servers.get(instanceId));
}

async function readDetail(sources: ListSources, reading: Promise<ServerRecord>): Promise<InstanceDetail> {
  const [server, flavors] = await Promise.all([reading, flavorList.read(sources)]);
  const attached = server['os-extended-volumes:volumes_attached'];
  if (server.image !== '') {
    const images = await imageList.read(sources);
    return presentInstanceDetail(server, indexRelatedRecords({ flavors, images }));
  }
  const bootVolume = await findVolumeWithImage(sources.openstack, attached);
  const volumes = bootVolume === null ? [] : [bootVolume];
  return presentInstanceDetail(server, indexRelatedRecords({ flavors, volumes }));
}

/**
 * The first attached volume that was created from an image. The service lists the boot volume first, so this
 * reads one volume, unless the boot volume was not created from an image. Skips a volume that was deleted
 * meanwhile.
 */
async function findVolumeWithImage(
  { blockStorage }: BoundClient,
  attached: readonly { id: string }[],
): Promise<VolumeRecord | null> {
  for (const { id } of attached) {
    const volume = await nullIfNotFound(blockStorage.volumes.get(id));
    if (volume?.volume_image_metadata?.image_id !== undefined) return volume;
  }
  return null;
}

/** Administrators' tokens reach servers of all projects, so this checks the project. Throws 404. */
export async function getServerOf(
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
  return getServerOf({ openstack, projectId: caller.identity.projectId }, instanceId);
}
