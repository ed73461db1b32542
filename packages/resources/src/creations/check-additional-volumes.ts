import { conflict } from '@gateway/core';
import type { InstanceCreation } from '@gateway/jobs';
import { readRequested, requestedNotFound } from '@gateway/openstack';
import { ifBlockStorageStays } from '../actions/index.ts';
import type { CreationContext } from './creation-context.ts';

type VolumesContext = CreationContext<Pick<InstanceCreation, 'additionalVolumeIds'>>;

const FIELD = 'additional_volume_ids';

/**
 * Checks the existing volumes that the request attaches.
 *
 * @throws 400 for one that the project does not have, 409 for one that is not available
 */
export async function checkAdditionalVolumes(context: VolumesContext): Promise<void> {
  await Promise.all(context.input.additionalVolumeIds.map((id) => checkVolume(context, id)));
}

async function checkVolume(context: VolumesContext, id: string): Promise<void> {
  const { volumes } = context.owner().blockStorage;
  const volume = await readRequested(volumes.get(id), FIELD, `Volume ${id}`);
  // An administrator sees the volumes of all projects. Databases may ignore the case of an id, and later
  // steps compare ids.
  if (!(await volumes.belongsTo(context.projectId, volume)) || volume.id !== id)
    throw requestedNotFound(FIELD, `Volume ${id}`);
  if (volume.status !== 'available') {
    const hint = ifBlockStorageStays(volume);
    throw conflict(
      'wrong_state',
      `Volume ${id} cannot be attached: its status is ${volume.status}, not available.${hint}`,
    );
  }
}
