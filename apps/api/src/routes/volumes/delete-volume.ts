import { conflict } from '@gateway/core';
import { getVolumeOfProject, type ProjectReader } from '../../resources/read-volume.ts';
import { withStateInRefusal } from '../../resources/refused-by-state.ts';

/** Deletes a volume whose state permits that; the block storage service decides. */
export async function deleteVolumeOfProject(reader: ProjectReader, volumeId: string): Promise<void> {
  await getVolumeOfProject(reader, volumeId);
  await withStateInRefusal({
    failure: 'The volume can not be deleted',
    write: () => reader.openstack.blockStorage.volumes.remove(volumeId),
    read: async () => {
      const volume = await getVolumeOfProject(reader, volumeId);
      if (volume.status === 'available') await requireNoSnapshots(reader, volumeId);
      return volume;
    },
  });
}

/** @throws 409 with the number of snapshots, which the error of the service does not contain */
export async function requireNoSnapshots({ openstack }: ProjectReader, volumeId: string): Promise<void> {
  const { length } = await openstack.blockStorage.snapshots.list({ volume_id: volumeId });
  if (length === 0) return;
  const snapshots = length === 1 ? 'a snapshot' : `${length} snapshots`;
  throw conflict(`The volume has ${snapshots}. It can be deleted once they are deleted.`);
}
