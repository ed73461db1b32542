import { toTimestamp, withoutMarks } from '@gateway/core';
import type { VolumeRecord } from '@gateway/openstack';
import { managerOfVolume } from '../actions/managed-by.ts';
import { type Actor, allowedActions } from '../actions/rule.ts';
import { volumeActions } from '../actions/volume-actions.ts';
import { visibleUserNames } from '../identity/users.ts';
import { CachedList, type ListSources } from '../lists/cached-list.ts';
import { addNames } from '../lists/names.ts';
import { instanceNames } from '../networks/name-lists.ts';
import { markTransition } from '../transitions/in-transition.ts';
import { isBlockStorageInTransition } from '../transitions/states-in-transition.ts';
import type { Volume } from './volume-shape.ts';

export function presentVolume(volume: VolumeRecord, actor: Actor): Volume {
  return {
    id: volume.id,
    name: volume.name,
    description: volume.description,
    status: volume.status,
    size: volume.size,
    volume_type: volume.volume_type,
    availability_zone: volume.availability_zone,
    bootable: volume.bootable === 'true',
    encrypted: volume.encrypted,
    multiattach: volume.multiattach,
    metadata: withoutMarks(volume),
    attachments: (volume.attachments ?? []).map(({ device, host_name, server_id }) => ({
      server_id: server_id ?? '',
      server_name: null,
      host_name: server_id === null ? host_name : null,
      device,
    })),
    user_id: volume.user_id || null,
    user_name: null,
    created_at: toTimestamp(volume.created_at),
    managed_by: managerOfVolume(volume),
    allowed_actions: allowedActions(volumeActions, volume, actor),
    ...markTransition(isBlockStorageInTransition(volume), volume.status, {
      changedAt: volume.updated_at,
      createdAt: volume.created_at,
    }),
  };
}

/** Adds the names of instances and users to a project's volumes. */
export async function nameVolumes(sources: ListSources, volumes: Volume[]): Promise<Volume[]> {
  const attachments = volumes.flatMap((volume) => volume.attachments);
  await addNames(sources, attachments, { server_id: instanceNames.project });
  return addNames(sources, volumes, { user_id: visibleUserNames });
}

/** Varies by roles because the block storage service has policies of its own. */
export const volumeList = new CachedList<Volume[]>({
  name: 'volumes',
  varyBy: 'roles',
  dependsOn: ['volume', 'instance', 'user'],
  lifetime: 'volumesSeconds',
  rowsWithStates: (volumes) => volumes,
  load: async (sources) =>
    nameVolumes(
      sources,
      await sources.openstack.blockStorage.volumes.listAs((volume) => presentVolume(volume, sources)),
    ),
});
