import { newUuid } from '../common/ids.ts';
import { booleanAt, type JsonObject, stringAt, stringMapAt } from '../common/json.ts';
import { badRequest, notFound } from '../common/service-error.ts';
import { microseconds } from '../common/timestamps.ts';
import type { Caller } from '../http/operation.ts';
import type { BlockStorageCloud } from './cloud.ts';
import { requireVolumeQuota } from './quotas.ts';
import { missingProperty } from './refusals.ts';
import type { Snapshot } from './state.ts';
import { findVolume } from './volumes.ts';

const CREATE_MS = 250;
const DELETE_MS = 300;

export function findSnapshot(cloud: BlockStorageCloud, caller: Caller, id: string): Snapshot {
  const snapshot = cloud.blockStorage.snapshots.get(id);
  if (snapshot === undefined || (!caller.isAdmin && snapshot.projectId !== caller.projectId))
    throw notFound(`Snapshot ${id} could not be found.`);
  return snapshot;
}

export function createSnapshot(cloud: BlockStorageCloud, caller: Caller, input: JsonObject): Snapshot {
  const volumeId = stringAt(input, 'volume_id');
  if (volumeId === undefined) throw missingProperty('snapshot', 'volume_id');
  const volume = findVolume(cloud, caller, volumeId);
  const allowed =
    volume.status === 'available' || (booleanAt(input, 'force', false) && volume.status === 'in-use');
  if (!allowed)
    throw badRequest(
      `Invalid volume: Volume ${volumeId} status must be available, but current status is: ${volume.status}.`,
    );
  requireVolumeQuota(cloud.blockStorage, caller.projectId, { snapshots: 1, gigabytes: volume.sizeGb });
  const snapshot: Snapshot = {
    id: newUuid(),
    projectId: caller.projectId,
    userId: caller.userId,
    name: stringAt(input, 'name') ?? null,
    description: stringAt(input, 'description') ?? null,
    status: 'creating',
    sizeGb: volume.sizeGb,
    volumeId,
    metadata: stringMapAt(input, 'metadata'),
    createdMs: cloud.clock.now(),
    updatedMs: null,
  };
  cloud.blockStorage.snapshots.set(snapshot.id, snapshot);
  cloud.schedule.after(CREATE_MS, finishSnapshot, snapshot);
  return snapshot;
}

export function finishSnapshot(cloud: BlockStorageCloud, snapshot: Snapshot): void {
  if (snapshot.status !== 'creating') return;
  snapshot.status = 'available';
  snapshot.updatedMs = cloud.clock.now();
}

export function deleteSnapshot(cloud: BlockStorageCloud, snapshot: Snapshot): void {
  if (snapshot.status !== 'available' && snapshot.status !== 'error')
    throw badRequest(
      'Invalid snapshot: Snapshot status must be available or error and must not be part of a group.',
    );
  snapshot.status = 'deleting';
  cloud.schedule.after(DELETE_MS, finishSnapshotRemoval, snapshot.id);
}

export function finishSnapshotRemoval(cloud: BlockStorageCloud, snapshotId: string): void {
  cloud.blockStorage.snapshots.delete(snapshotId);
}

/** As the response to a create request shows it. */
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
