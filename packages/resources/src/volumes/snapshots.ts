import type { SnapshotRecord } from '@gateway/openstack';
import { managerOfSnapshot } from '../actions/managed-by.ts';
import { type Actor, allowedActions } from '../actions/rule.ts';
import { snapshotActions } from '../actions/snapshot-actions.ts';
import type { Snapshot } from './snapshot-shape.ts';
import { presentVolumeCopy } from './volume-copy.ts';

export function presentSnapshot(snapshot: SnapshotRecord, actor: Actor): Snapshot {
  return {
    ...presentVolumeCopy(snapshot),
    managed_by: managerOfSnapshot(snapshot),
    allowed_actions: allowedActions(snapshotActions, snapshot, actor),
  };
}
