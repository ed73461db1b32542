import type { SnapshotRecord } from '@gateway/openstack';
import { type ManagedBy, managerOfSnapshot } from '../actions/managed-by.ts';
import { type Actor, allowedActions } from '../actions/rule.ts';
import { type SnapshotAction, snapshotActions } from '../actions/snapshot-actions.ts';
import { presentVolumeCopy, type VolumeCopy } from './volume-copy.ts';

export interface Snapshot extends VolumeCopy {
  managed_by: ManagedBy | null;
  allowed_actions: SnapshotAction[];
}

export function presentSnapshot(snapshot: SnapshotRecord, actor: Actor): Snapshot {
  return {
    ...presentVolumeCopy(snapshot),
    managed_by: managerOfSnapshot(snapshot),
    allowed_actions: allowedActions(snapshotActions, snapshot, actor),
  };
}
