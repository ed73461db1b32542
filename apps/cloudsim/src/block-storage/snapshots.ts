import { booleanAt, type JsonObject } from '../common/json.ts';
import { badRequest } from '../common/service-error.ts';
import { microseconds } from '../common/timestamps.ts';
import type { Caller } from '../http/operation.ts';
import { findOwned } from '../http/policy.ts';
import type { BlockStorageCloud } from './cloud.ts';
import { newCopy, sourceVolume } from './copies.ts';
import { requireVolumeQuota } from './quotas.ts';
import { missing } from './refusals.ts';
import type { Snapshot } from './state.ts';

const CREATE_MS = 250;
const DELETE_MS = 300;

export function findSnapshot(cloud: BlockStorageCloud, caller: Caller, id: string): Snapshot {
  return findOwned(cloud.blockStorage.snapshots, caller, id, missing('Snapshot'));
}

export function createSnapshot(cloud: BlockStorageCloud, caller: Caller, input: JsonObject): Snapshot {
  const volume = sourceVolume(cloud, caller, 'snapshot', input);
  const allowed =
    volume.status === 'available' || (booleanAt(input, 'force', false) && volume.status === 'in-use');
  if (!allowed)
    throw badRequest(
      `Invalid volume: Volume ${volume.id} status must be available, but current status is: ${volume.status}.`,
    );
  requireVolumeQuota(cloud.blockStorage, caller.projectId, { snapshots: 1, gigabytes: volume.sizeGb });
  const snapshot = newCopy(cloud, caller, volume, input);
  cloud.blockStorage.snapshots.set(snapshot.id, snapshot);
  cloud.schedule.after(CREATE_MS, finishSnapshot, snapshot);
  return snapshot;
}

export function finishSnapshot(cloud: BlockStorageCloud, snapshot: Snapshot): void {
  if (snapshot.status !== 'creating') return;
  snapshot.status = 'available';
  snapshot.updatedMs = cloud.clock.now();
}

export function deleteSnapshot(cloud: BlockStorageCloud, snapshot: Snapshot, isForced = false): void {
  if (!isForced && snapshot.status !== 'available' && snapshot.status !== 'error')
    throw badRequest(
      'Invalid snapshot: Snapshot status must be available or error and must not be part of a group.',
    );
  snapshot.status = 'deleting';
  cloud.schedule.after(DELETE_MS, finishSnapshotRemoval, snapshot.id);
}

export function finishSnapshotRemoval(cloud: BlockStorageCloud, snapshotId: string): void {
  cloud.blockStorage.snapshots.delete(snapshotId);
}

/** As in the response to a create request. */
export function presentNewSnapshot(snapshot: Snapshot): object {
  return {
    id: snapshot.id,
    created_at: microseconds(snapshot.createdMs),
    updated_at: snapshot.updatedMs === null ? null : microseconds(snapshot.updatedMs),
    name: snapshot.name,
    description: snapshot.description,
    volume_id: snapshot.volumeId,
    status: snapshot.status,
    size: snapshot.sizeGb,
    metadata: snapshot.metadata,
    group_snapshot_id: null,
    user_id: snapshot.userId,
  };
}

export function presentSnapshot(snapshot: Snapshot): object {
  return {
    ...presentNewSnapshot(snapshot),
    'os-extended-snapshot-attributes:progress': snapshot.status === 'available' ? '100%' : '0%',
    'os-extended-snapshot-attributes:project_id': snapshot.projectId,
  };
}
