import { newUuid } from '../common/ids.ts';
import { type JsonObject, stringAt } from '../common/json.ts';
import { forbidden, notFound } from '../common/service-error.ts';
import { exactMicroseconds } from '../common/timestamps.ts';
import { denied, findOwned, owns } from '../http/policy.ts';
import type { SharedFileSystemCall, SharedFileSystemCloud } from './cloud.ts';
import { requireSnapshotQuota } from './quotas.ts';
import { NOT_THERE } from './refusals.ts';
import type { Share, ShareSnapshot } from './state.ts';

const CREATE_MS = 300;
const DELETE_MS = 300;

export function findShareSnapshot({ caller, cloud, params }: SharedFileSystemCall): ShareSnapshot {
  return findOwned(cloud.sharedFileSystem.snapshots, caller, params.id ?? '', () => notFound(NOT_THERE));
}

export function createShareSnapshot(
  { caller, cloud }: SharedFileSystemCall,
  share: Share,
  input: JsonObject,
): ShareSnapshot {
  if (!owns(caller, share.projectId)) throw denied('share:create_snapshot');
  if (share.status !== 'available') throw forbidden('Invalid share: Source share status must be available.');
  requireSnapshotQuota(cloud.sharedFileSystem, caller.projectId, share.sizeGb);
  const snapshot: ShareSnapshot = {
    id: newUuid(),
    shareId: share.id,
    projectId: caller.projectId,
    userId: caller.userId,
    name: stringAt(input, 'name') ?? stringAt(input, 'display_name') ?? null,
    status: 'creating',
    sizeGb: share.sizeGb,
    protocol: share.protocol,
    metadata: {},
    createdMs: cloud.clock.now(),
  };
  cloud.sharedFileSystem.snapshots.set(snapshot.id, snapshot);
  cloud.schedule.after(CREATE_MS, finishShareSnapshot, snapshot);
  return snapshot;
}

export function finishShareSnapshot(_cloud: SharedFileSystemCloud, snapshot: ShareSnapshot): void {
  if (snapshot.status === 'creating') snapshot.status = 'available';
}

export function deleteShareSnapshot(cloud: SharedFileSystemCloud, snapshot: ShareSnapshot): void {
  if (snapshot.status !== 'available' && snapshot.status !== 'error')
    throw forbidden("Invalid share snapshot: Share Snapshot status must be one of ('available', 'error')..");
  snapshot.status = 'deleting';
  cloud.schedule.after(DELETE_MS, finishShareSnapshotRemoval, snapshot.id);
}

export function finishShareSnapshotRemoval(cloud: SharedFileSystemCloud, snapshotId: string): void {
  cloud.sharedFileSystem.snapshots.delete(snapshotId);
}

export function presentShareSnapshot(snapshot: ShareSnapshot): object {
  return {
    id: snapshot.id,
    share_id: snapshot.shareId,
    share_size: snapshot.sizeGb,
    created_at: exactMicroseconds(snapshot.createdMs),
    status: snapshot.status,
    name: snapshot.name,
    description: null,
    size: snapshot.sizeGb,
    share_proto: snapshot.protocol,
    user_id: snapshot.userId,
    project_id: snapshot.projectId,
  };
}
