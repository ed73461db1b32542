import { notFound } from '@gateway/core';
import type { VolumeRecord } from '@gateway/openstack';
import type { RequestContext } from '../pipeline/request-context.ts';

export type ProjectReader = Pick<RequestContext, 'caller' | 'openstack'>;

/** Administrators' tokens reach volumes of all projects, so this checks the project. Throws 404. */
export async function getOwnVolume(
  { caller, openstack }: ProjectReader,
  volumeId: string,
): Promise<VolumeRecord> {
  const { volumes } = openstack.blockStorage;
  const volume = await volumes.get(volumeId);
  if (!(await volumes.belongsTo(caller.identity.projectId, volume)))
    throw notFound('There is no such volume in this project.');
  return volume;
}
