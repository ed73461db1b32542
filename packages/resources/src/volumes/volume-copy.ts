import { toTimestamp } from '@gateway/core';
import type { VolumeCopyRecord } from '@gateway/openstack';
import { markTransition } from '../transitions/in-transition.ts';
import { isBlockStorageInTransition } from '../transitions/states-in-transition.ts';
import type { Backup } from './backup-shape.ts';
import type { Snapshot } from './snapshot-shape.ts';

/** The common fields of snapshots and backups. */
export type VolumeCopy = Pick<Snapshot, Exclude<keyof Snapshot & keyof Backup, 'allowed_actions'>>;

export function presentVolumeCopy(copy: VolumeCopyRecord): VolumeCopy {
  return {
    id: copy.id,
    name: copy.name,
    description: copy.description,
    status: copy.status,
    size: copy.size,
    volume_id: copy.volume_id,
    volume_name: null,
    created_at: toTimestamp(copy.created_at),
    ...markTransition(isBlockStorageInTransition(copy), copy.status, {
      changedAt: copy.updated_at,
      createdAt: copy.created_at,
    }),
  };
}
