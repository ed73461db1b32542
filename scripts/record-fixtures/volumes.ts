import { type BlockStorageClient, type BoundClient, waitForGone, waitForStatus } from '@gateway/openstack';
import { record } from './recorder.ts';
import { addCleanup, recordRequired, statusOf, unknownId, waitOptions } from './scenario.ts';

export async function recordVolumes(mine: BoundClient): Promise<void> {
  const { blockStorage } = mine;
  const { volumes } = blockStorage;
  await record('block-storage/volume-not-found', () => volumes.get(unknownId));
  await record('block-storage/volume-invalid', () => volumes.create({ size: -1 }));
  await record('block-storage/volume-quota', () => volumes.create({ name: 'record-big', size: 100_000 }));
  const small = await recordRequired('block-storage/volume-create', () =>
    volumes.create({ name: 'record-small', size: 1, metadata: { purpose: 'fixtures' } }),
  );
  addCleanup('volume', async () => {
    await waitForStatus(() => volumes.get(small.id), statusOf, {
      ...waitOptions('The volume'),
      targetStates: ['available', 'error'],
      failedStates: [],
    });
    await volumes.remove(small.id);
  });
  await untilAvailable(() => volumes.get(small.id), 'The volume');
  await recordSnapshots(blockStorage, small.id);
  await recordTransfers(blockStorage, small.id);
  await recordBackups(blockStorage, small.id);
}

function untilAvailable<T extends { status: string }>(get: () => Promise<T>, describe: string): Promise<T> {
  const options = { ...waitOptions(describe), targetStates: ['available'], failedStates: ['error'] };
  return waitForStatus(get, statusOf, options);
}

async function recordSnapshots({ snapshots }: BlockStorageClient, volumeId: string): Promise<void> {
  const { id } = await recordRequired('block-storage/snapshot-create', () =>
    snapshots.create({ volume_id: volumeId, name: 'record-snapshot', description: 'before' }),
  );
  await record('block-storage/snapshot-busy', () => snapshots.remove(id));
  await untilAvailable(() => snapshots.get(id), 'The snapshot');
  await record('block-storage/snapshot', () => snapshots.get(id));
  await record('block-storage/snapshots', () => snapshots.list());
  await snapshots.remove(id);
  await waitForGone(() => snapshots.get(id), statusOf, waitOptions('The snapshot'));
}

async function recordTransfers({ transfers }: BlockStorageClient, volumeId: string): Promise<void> {
  const transfer = { volume_id: volumeId, name: 'record-transfer' };
  const { id, auth_key } = await recordRequired('block-storage/transfer-create', () =>
    transfers.create(transfer),
  );
  await record('block-storage/transfer-busy', () => transfers.create(transfer));
  await record('block-storage/transfer', () => transfers.get(id));
  await record('block-storage/transfers', () => transfers.list());
  await record('block-storage/transfer-wrong-key', () => transfers.accept(id, 'guess'));
  await record('block-storage/transfer-accept', () => transfers.accept(id, auth_key));
  await record('block-storage/transfer-not-found', () => transfers.get(id));
}

async function recordBackups({ backups, volumes }: BlockStorageClient, volumeId: string): Promise<void> {
  const { id } = await recordRequired('block-storage/backup-create', () =>
    backups.create({ volume_id: volumeId, name: 'record-backup', metadata: { purpose: 'fixtures' } }),
  );
  await record('block-storage/backup-busy', () => backups.remove(id));
  await record('block-storage/backup-of-busy-volume', () => backups.create({ volume_id: volumeId }));
  await untilAvailable(() => backups.get(id), 'The backup');
  await record('block-storage/backup', () => backups.get(id));
  await record('block-storage/backups', () => backups.list());
  await record('block-storage/backup-restore', () => backups.restore(id, { volume_id: volumeId }));
  await untilAvailable(() => volumes.get(volumeId), 'The volume');
  await untilAvailable(() => backups.get(id), 'The backup');
  await backups.remove(id);
  await waitForGone(() => backups.get(id), statusOf, waitOptions('The backup'));
}
