import { toTimestamp } from '@gateway/core';
import type { VolumeRecord } from '@gateway/openstack';
import { CachedList } from './cached-list.ts';

export interface Volume {
  id: string;
  name: string;
  description: string;
  status: string;
  /** GB. */
  size: number;
  volume_type: string;
  availability_zone: string;
  bootable: boolean;
  attachments: { server_id: string; device: string }[];
  user_id: string | null;
  created_at: string | null;
}

export function presentVolume(volume: VolumeRecord): Volume {
  return {
    id: volume.id,
    name: volume.name ?? '',
    description: volume.description ?? '',
    status: volume.status,
    size: volume.size,
    volume_type: volume.volume_type ?? '',
    availability_zone: volume.availability_zone ?? '',
    bootable: volume.bootable === 'true',
    attachments: volume.attachments.map(({ server_id, device }) => ({ server_id, device: device ?? '' })),
    user_id: volume.user_id || null,
    created_at: toTimestamp(volume.created_at),
  };
}

const TRANSITIONAL_STATUSES = new Set([
  'attaching',
  'backing-up',
  'creating',
  'deleting',
  'detaching',
  'downloading',
  'extending',
  'managing',
  'reserved',
  'restoring-backup',
  'retyping',
  'unmanaging',
  'uploading',
]);

export function isVolumeInTransition({ status }: Pick<Volume, 'status'>): boolean {
  return TRANSITIONAL_STATUSES.has(status);
}

/** Varies by roles because the block storage service has policies of its own. */
export const volumeList = new CachedList<Volume[]>({
  name: 'volumes',
  varyBy: 'roles',
  dependsOn: ['volume'],
  lifetime: 'volumesSeconds',
  isInTransition: (volumes) => volumes.some(isVolumeInTransition),
  load: ({ openstack }) => openstack.blockStorage.volumes.listAs(presentVolume),
});
