import { conflict } from '@gateway/core';
import { isConflict, type ShareSnapshotRecord } from '@gateway/openstack';
import {
  ifItStays,
  isFileStorageInTransition,
  nameShareSnapshots,
  presentShareSnapshot,
  type ShareSnapshot,
} from '@gateway/resources';
import { sourcesOf } from '../../pipeline/cached-list.ts';
import type { RequestContext } from '../../pipeline/request-context.ts';
import { getOwnShareSnapshot, ofOwnProject } from '../../resources/own-records.ts';
import type { CreateShareSnapshotBody } from './schemas.ts';

type SnapshotRequest = RequestContext<{ share_snapshot_id: string }>;

/** In these states the service deletes a snapshot. */
const DELETABLE = ['available', 'error'];

export async function listShareSnapshots(request: RequestContext): Promise<ShareSnapshot[]> {
  const snapshots = await request.openstack.sharedFileSystem.snapshots.list();
  return nameShareSnapshots(sourcesOf(request), snapshots.map(presentShareSnapshot));
}

export async function getShareSnapshot(request: SnapshotRequest): Promise<ShareSnapshot> {
  return present(request, await getOwnShareSnapshot(request, request.params.share_snapshot_id));
}

/** @throws 409 for a share that is not available, or whose type has no snapshots */
export async function createShareSnapshot(
  request: RequestContext<unknown, unknown, CreateShareSnapshotBody>,
): Promise<ShareSnapshot> {
  const { body, openstack } = request;
  const { file_storage_id, ...wanted } = body;
  const { shares, snapshots } = openstack.sharedFileSystem;
  const share = await ofOwnProject(request, 'file storage', shares.get(file_storage_id));
  if (!share.snapshot_support)
    throw conflict('not_supported', 'File storages of this type cannot have snapshots.');
  if (share.status !== 'available') {
    throw conflict(
      'wrong_state',
      `The file storage is ${share.status}. A snapshot needs one that is available.`,
    );
  }
  const created = await snapshots.create({ ...wanted, share_id: share.id });
  return { ...presentShareSnapshot(created), file_storage_name: share.name };
}

export async function deleteShareSnapshot(request: SnapshotRequest): Promise<void> {
  const { share_snapshot_id: id } = request.params;
  requireDeletable(await getOwnShareSnapshot(request, id));
  try {
    await request.openstack.sharedFileSystem.snapshots.remove(id);
  } catch (error) {
    if (isConflict(error)) requireDeletable(await getOwnShareSnapshot(request, id));
    throw error;
  }
}

function requireDeletable(snapshot: ShareSnapshotRecord): void {
  const { status } = snapshot;
  if (DELETABLE.includes(status)) return;
  const hint = ifItStays(isFileStorageInTransition(snapshot), status);
  throw conflict(
    'wrong_state',
    `The snapshot is ${status}. It can be deleted while it is available or in error.${hint}`,
  );
}

async function present(request: RequestContext, record: ShareSnapshotRecord): Promise<ShareSnapshot> {
  const row = presentShareSnapshot(record);
  await nameShareSnapshots(sourcesOf(request), [row]);
  return row;
}
