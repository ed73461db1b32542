import { type BoundClient, waitForStatus } from '@gateway/openstack';
import { record } from './recorder.ts';
import { later, must, nowhere, patience, statusOf } from './scenario.ts';

export async function recordVolumes(mine: BoundClient): Promise<void> {
  const { volumes } = mine.blockStorage;
  await record('block-storage/volume-not-found', () => volumes.get(nowhere));
  await record('block-storage/volume-invalid', () => volumes.create({ size: -1 }));
  await record('block-storage/volume-quota', () => volumes.create({ name: 'record-big', size: 100_000 }));
  const small = await must('block-storage/volume-create', () =>
    volumes.create({ name: 'record-small', size: 1, metadata: { purpose: 'fixtures' } }),
  );
  later('volume', async () => {
    await waitForStatus(() => volumes.get(small.id), statusOf, {
      ...patience('The volume'),
      targetStates: ['available', 'error'],
      failedStates: [],
    });
    await volumes.remove(small.id);
  });
}
