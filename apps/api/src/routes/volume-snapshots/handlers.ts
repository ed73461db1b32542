import {
  addNames,
  presentSnapshot,
  type Snapshot,
  snapshotActions,
  volumeActions,
  volumeNames,
  withNames,
} from '@gateway/resources';
import { sourcesOf } from '../../pipeline/cached-list.ts';
import type { RequestContext } from '../../pipeline/request-context.ts';
import { createOnce } from '../../resources/create-once.ts';
import { getOwnSnapshot, getOwnVolume } from '../../resources/own-records.ts';
import { requireAction } from '../../resources/require-action.ts';
import { withStateInRefusal } from '../../resources/with-state-in-refusal.ts';
import type { CreateSnapshotBody } from './schemas.ts';

type SnapshotRequest = RequestContext<{ snapshot_id: string }>;

export async function listSnapshots(request: RequestContext): Promise<Snapshot[]> {
  const snapshots = await request.openstack.blockStorage.snapshots.list();
  const sources = sourcesOf(request);
  const rows = snapshots.map((snapshot) => presentSnapshot(snapshot, sources));
  return addNames(sources, rows, { volume_id: volumeNames.project });
}

export async function getSnapshot(request: SnapshotRequest) {
  const sources = sourcesOf(request);
  const record = await getOwnSnapshot(request, request.params.snapshot_id);
  return withNames(sources, presentSnapshot(record, sources), { volume_id: volumeNames.project });
}

export async function createSnapshot(request: RequestContext<unknown, unknown, CreateSnapshotBody>) {
  const { body, openstack } = request;
  const { snapshots } = openstack.blockStorage;
  const volume = await getOwnVolume(request, body.volume_id);
  const snapshot = await withStateInRefusal({
    failure: volumeActions.create_snapshot.refusal,
    write: () =>
      createOnce(request, {
        service: 'blockStorage',
        create: (metadata) => {
          requireAction(request, volumeActions.create_snapshot, volume);
          return snapshots.create({ ...body, metadata });
        },
        list: () => snapshots.list({ name: body.name }),
      }),
    read: () => getOwnVolume(request, body.volume_id),
  });
  return { ...presentSnapshot(snapshot, sourcesOf(request)), volume_name: volume.name };
}

export async function deleteSnapshot(request: SnapshotRequest): Promise<void> {
  const { snapshot_id } = request.params;
  requireAction(request, snapshotActions.delete, await getOwnSnapshot(request, snapshot_id));
  await withStateInRefusal({
    failure: snapshotActions.delete.refusal,
    write: () => request.openstack.blockStorage.snapshots.remove(snapshot_id),
    read: () => getOwnSnapshot(request, snapshot_id),
  });
}
