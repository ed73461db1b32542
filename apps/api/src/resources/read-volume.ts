import { notFound } from '@gateway/core';
import type { VolumeRecord } from '@gateway/openstack';
import type { RequestContext } from '../pipeline/request-context.ts';

export type ProjectReader = Pick<RequestContext, 'caller' | 'openstack'>;

/** Segments of paths below `/api/volumes` that are not ids of volumes. */
const PATH_WORDS = new Set(['backups', 'transfer', 'transfers']);

/** Administrators' tokens reach volumes of all projects, so this checks the project. Throws 404. */
export async function getVolumeOfProject(
  { caller, openstack }: ProjectReader,
  volumeId: string,
): Promise<VolumeRecord> {
  if (PATH_WORDS.has(volumeId)) throw noSuchVolume();
  const volume = await openstack.blockStorage.volumes.get(volumeId);
  if (volume['os-vol-tenant-attr:tenant_id'] !== caller.identity.projectId) throw noSuchVolume();
  return volume;
}

function noSuchVolume(): Error {
  return notFound('There is no such volume in this project.');
}
