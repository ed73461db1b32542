import { notFound } from '@gateway/core';
import type { VolumeRecord } from '@gateway/openstack';
import type { RequestContext } from '../pipeline/request-context.ts';

export type ProjectReader = Pick<RequestContext, 'caller' | 'openstack'>;

/**
 * Administrators' tokens reach volumes of all projects, so this checks the project, which a cloud may show
 * only to them. Throws 404.
 */
export async function getOwnVolume(
  { caller, openstack }: ProjectReader,
  volumeId: string,
): Promise<VolumeRecord> {
  const volume = await openstack.blockStorage.volumes.get(volumeId);
  const { projectId } = caller.identity;
  if ((volume['os-vol-tenant-attr:tenant_id'] ?? projectId) !== projectId)
    throw notFound('There is no such volume in this project.');
  return volume;
}
