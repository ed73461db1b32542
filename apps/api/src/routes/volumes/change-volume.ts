import { invalidInput, notFound } from '@gateway/core';
import type { BoundClient, VolumeRecord } from '@gateway/openstack';
import { withStateInRefusal } from '../../resources/with-state-in-refusal.ts';
import type { ExtendVolumeBody, RetypeVolumeBody, UpdateVolumeBody } from './change-schemas.ts';

/** A volume that a member or an administrator changes. The block storage service decides by its state. */
export interface ChangedVolume {
  openstack: BoundClient;
  volume: VolumeRecord;
  /** Reads the volume after the service has refused a change. Throws 404. */
  read: () => Promise<VolumeRecord>;
}

export async function changeVolume(
  { openstack, read, volume }: ChangedVolume,
  { name, description }: UpdateVolumeBody,
): Promise<VolumeRecord> {
  if (name === undefined && description === undefined) return volume;
  return withStateInRefusal({
    failure: 'The volume cannot be changed',
    write: () => openstack.blockStorage.volumes.update(volume.id, { name, description }),
    read,
  });
}

/** @throws 400 for a size that is not larger, 409 in a state that forbids it */
export async function enlargeVolume(
  { openstack, read, volume }: ChangedVolume,
  { new_size }: ExtendVolumeBody,
): Promise<void> {
  if (new_size <= volume.size) {
    const message = `must be larger than ${volume.size}`;
    throw invalidInput(`The new size ${message}.`, { errors: [{ field: 'body.new_size', message }] });
  }
  await withStateInRefusal({
    failure: 'The volume cannot be extended',
    write: () => openstack.blockStorage.volumes.extend(volume.id, new_size),
    read,
  });
}

/**
 * Gives a volume another type. Volumes lie in another storage system afterwards only if `migration_policy`
 * allows that.
 *
 * @throws 404 for an unknown type, 400 for the type that the volume has, 409 in a state that forbids it
 */
export async function retypeVolume(
  { openstack, read, volume }: ChangedVolume,
  { migration_policy, volume_type }: RetypeVolumeBody,
): Promise<void> {
  const types = await openstack.blockStorage.volumeTypes.list();
  const type = types.find(({ id, name }) => id === volume_type || name === volume_type);
  if (type === undefined) throw notFound(`Volume type ${volume_type} was not found.`);
  if (type.name === volume.volume_type) {
    throw invalidInput(`The volume has the type ${type.name} already.`, {
      errors: [{ field: 'body.volume_type', message: 'must be another type' }],
    });
  }
  await withStateInRefusal({
    failure: 'The volume cannot get another type',
    write: () => openstack.blockStorage.volumes.retype(volume.id, type.id, migration_policy),
    read,
  });
}
