import { conflict } from '@gateway/core';
import { readWholeLists, type SnapshotQuery, type VolumeRecord } from '@gateway/openstack';
import { NOBODY, volumeActions } from '@gateway/resources';
import { getOwnVolume, type ProjectReader } from '../../resources/own-records.ts';
import { requireAction } from '../../resources/require-action.ts';
import { withStateInRefusal } from '../../resources/with-state-in-refusal.ts';

/** Deletes a volume whose state permits that; the block storage service decides again. */
export async function deleteVolumeOfProject(reader: ProjectReader, volumeId: string): Promise<void> {
  requireAction(reader, volumeActions.delete, await getOwnVolume(reader, volumeId));
  await removeVolume(reader, volumeId, {
    read: () => getOwnVolume(reader, volumeId),
    requireNoSnapshots: () => requireNoSnapshots(reader, volumeId),
  });
}

/** @param checks reads the volume and checks its snapshots, after the service has refused */
export function removeVolume(
  { openstack }: Pick<ProjectReader, 'openstack'>,
  volumeId: string,
  checks: { read: () => Promise<VolumeRecord>; requireNoSnapshots: () => Promise<void> },
): Promise<void> {
  return withStateInRefusal({
    failure: volumeActions.delete.refusal,
    write: () => openstack.blockStorage.volumes.remove(volumeId),
    read: async () => {
      const volume = await checks.read();
      if (isDeletable(volume)) await checks.requireNoSnapshots();
      return volume;
    },
  });
}

/** By its record, whoever deletes it. */
function isDeletable(volume: VolumeRecord): boolean {
  return volumeActions.delete.reasonAgainst(volume, NOBODY) === null;
}

/** @throws 409 with the number of snapshots, which the error of the service does not contain */
export async function requireNoSnapshots(
  { openstack }: Pick<ProjectReader, 'openstack'>,
  volumeId: string,
  scope: SnapshotQuery = {},
): Promise<void> {
  const { snapshots: ofVolumes } = openstack.blockStorage;
  const { length } = await readWholeLists(() => ofVolumes.list({ ...scope, volume_id: volumeId }));
  if (length === 0) return;
  const snapshots = length === 1 ? 'a snapshot, which has' : `${length} snapshots, which have`;
  throw conflict('not_empty', `The volume has ${snapshots} to be deleted first.`);
}
