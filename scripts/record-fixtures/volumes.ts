import { type BoundClient, waitForStatus } from '@gateway/openstack';
import { record } from './recorder.ts';
import { addCleanup, recordRequired, statusOf, unknownId, waitOptions } from './scenario.ts';

export async function recordVolumes(mine: BoundClient): Promise<void> {
  const { volumes } = mine.blockStorage;
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
}
