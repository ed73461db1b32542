import { notFound } from '@gateway/core';
import type { SnapshotRecord } from '@gateway/openstack';
import { presentSnapshot } from '@gateway/views';
import type { RequestContext } from '../../pipeline/request-context.ts';
import { createOnce } from '../../resources/create-once.ts';
import { getOwnVolume, type ProjectReader } from '../../resources/own-volume.ts';
import { withStateInRefusal } from '../../resources/with-state-in-refusal.ts';
import type { CreateSnapshotBody } from './schemas.ts';

type SnapshotRequest = RequestContext<{ snapshot_id: string }>;

const PROJECT = 'os-extended-snapshot-attributes:project_id';

export async function listSnapshots({ openstack }: RequestContext) {
  return (await openstack.blockStorage.snapshots.list()).map(presentSnapshot);
}

export async function getSnapshot(request: SnapshotRequest) {
  return presentSnapshot(await getSnapshotOfProject(request, request.params.snapshot_id));
}

export async function createSnapshot(request: RequestContext<unknown, unknown, CreateSnapshotBody>) {
  const { body, openstack } = request;
  const { snapshots } = openstack.blockStorage;
  await getOwnVolume(request, body.volume_id);
  return presentSnapshot(
    await withStateInRefusal({
      failure: 'No snapshot of the volume can be taken',
      write: () =>
        createOnce(request, {
          create: (metadata) => snapshots.create({ ...body, metadata }),
          list: () => snapshots.list({ name: body.name }),
        }),
      read: () => getOwnVolume(request, body.volume_id),
    }),
  );
}

export async function deleteSnapshot(request: SnapshotRequest): Promise<void> {
  const { snapshot_id } = request.params;
  await getSnapshotOfProject(request, snapshot_id);
  await withStateInRefusal({
    failure: 'The snapshot cannot be deleted',
    write: () => request.openstack.blockStorage.snapshots.remove(snapshot_id),
    read: () => getSnapshotOfProject(request, snapshot_id),
  });
}

/** Administrators' tokens reach snapshots of all projects, so this checks the project. Throws 404. */
async function getSnapshotOfProject(
  { caller, openstack }: ProjectReader,
  snapshotId: string,
): Promise<SnapshotRecord> {
  const snapshot = await openstack.blockStorage.snapshots.get(snapshotId);
  if (snapshot[PROJECT] === caller.identity.projectId) return snapshot;
  throw notFound('There is no such snapshot in this project.');
}
