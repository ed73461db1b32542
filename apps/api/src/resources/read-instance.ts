import { notFound } from '@gateway/core';
import { type BoundClient, nullIfNotFound, type ServerRecord, type VolumeRecord } from '@gateway/openstack';
import {
  type Flavor,
  flavorList,
  type InstanceDetail,
  imageLists,
  indexRelatedRecords,
  type ListSources,
  presentInstanceDetail,
  promptOptionalRead,
  type RelatedRecords,
  visibleProjectNames,
  visibleUserNames,
  volumeNames,
  withNames,
} from '@gateway/resources';
import { sourcesOf } from '../pipeline/cached-list.ts';
import type { RequestContext } from '../pipeline/request-context.ts';
import { readWorkspace } from './read-workspace.ts';

/** Reads one instance of the project in detail. Flavors and images come from the cache if possible. */
export function readInstanceDetail(request: RequestContext, instanceId: string): Promise<InstanceDetail> {
  return readDetail(request, getOwnServer(request, instanceId));
}

/** The same for an instance of any project, for administrators. */
export function readAnyInstanceDetail(request: RequestContext, instanceId: string): Promise<InstanceDetail> {
  return readDetail(request, request.openstack.compute.servers.get(instanceId), volumeNames.cloud);
}

async function readDetail(
  request: RequestContext,
  reading: Promise<ServerRecord>,
  namesOfVolumes = volumeNames.project,
): Promise<InstanceDetail> {
  const sources = sourcesOf(request);
  const [server, flavors] = await Promise.all([reading, flavorList.read(sources)]);
  const detail = presentInstanceDetail(server, await readRelated(sources, server, flavors), sources);
  const workspace = await readWorkspace(request, detail);
  return withNames(
    sources,
    { ...detail, workspace },
    {
      overlay_upper_volume_id: namesOfVolumes,
      volume_ids: namesOfVolumes,
      project_id: visibleProjectNames,
      user_id: visibleUserNames,
    },
  );
}

/** Flavors, and the image of the server, which is null if the services that know it are unavailable. */
async function readRelated(
  sources: ListSources,
  server: ServerRecord,
  flavors: Flavor[],
): Promise<RelatedRecords> {
  if (server.image !== null) {
    const images = await promptOptionalRead(sources, imageLists.project.read(sources), []);
    return indexRelatedRecords({ flavors, images });
  }
  const reading = findVolumeWithImage(sources.openstack, server['os-extended-volumes:volumes_attached']);
  const bootVolume = await promptOptionalRead(sources, reading, null);
  const volumes = bootVolume === null ? [] : [bootVolume];
  return indexRelatedRecords({ flavors, volumes });
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
export async function getOwnServer(
  { caller, openstack }: Pick<RequestContext, 'caller' | 'openstack'>,
  instanceId: string,
): Promise<ServerRecord> {
  const server = await openstack.compute.servers.get(instanceId);
  requireInProject(server, caller.identity.projectId);
  return server;
}

/** @throws 404 for a server of another project */
export function requireInProject({ tenant_id }: ServerRecord, projectId: string): void {
  if (tenant_id !== projectId) throw notFound('There is no such instance in this project.');
}
