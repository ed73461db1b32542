import assert from 'node:assert/strict';
import type { Volume } from '@gateway/resources';
import type { StreamEndpoint, StreamInput } from '../../packages/client/src/index.ts';
import { BlockStorageProject } from '../support/projects/block-storage-project.ts';
import { followed } from '../support/subjects/followed.ts';

describe('followed creations of volumes', function () {
  this.timeout(600_000);
  let project: BlockStorageProject;

  before(async () => {
    project = await BlockStorageProject.start({ startsJobs: true });
  });
  after(() => project?.remove());

  const follow = <Name extends StreamEndpoint>(endpoint: Name, input: StreamInput<Name>) =>
    followed(project.mine, endpoint, input);

  it('fill a volume from an image, and copy it and its snapshot', async () => {
    const images = await project.mine.read<{ id: string; name: string }[]>('/api/images');
    const image_id = images.find(({ name }) => name === 'debian-12')?.id ?? '';

    const body = { name: 'root', image_id, volume_type: 'fast', description: 'of debian' };
    const events = await follow('POST /api/volumes/async', { body });

    assert.deepEqual(
      events.map(({ step }) => step),
      ['CHECKING', 'CREATING', 'COMPLETED'],
    );
    const last = events.at(-1);
    assert.deepEqual([last?.resource_type, last?.error], ['volume', null]);
    const id = last?.resource_id ?? '';
    const { body: volume } = await project.ask<Volume>('GET', `/api/volumes/${id}`);
    const { bootable, description, name, status, volume_type } = volume;
    assert.deepEqual(
      { bootable, description, name, status, volume_type },
      { bootable: true, description: 'of debian', name: 'root', status: 'available', volume_type: 'fast' },
    );
    const job = await project.mine.read<{ status: string; resource_id: string }>(`/api/jobs/${last?.job_id}`);
    assert.deepEqual([job.status, job.resource_id], ['completed', id]);

    const snapshot = await project.ask<{ id: string }>('POST', '/api/volume-snapshots', {
      name: 'before',
      volume_id: id,
    });
    await project.becomes(`/api/volume-snapshots/${snapshot.body.id}`, 'available');
    for (const source of [{ source_volume_id: id }, { snapshot_id: snapshot.body.id }]) {
      const copy = (await follow('POST /api/volumes/async', { body: { name: 'copy', ...source } })).at(-1);
      const { body: copied } = await project.ask<Volume>('GET', `/api/volumes/${copy?.resource_id}`);
      assert.deepEqual([copied.status, copied.size, copied.bootable], ['available', volume.size, true]);
      const plain = await project.ask<Volume>('POST', '/api/volumes', { name: 'plain', ...source });
      assert.deepEqual([plain.status, plain.body.size], [201, volume.size], plain.text);
      await project.becomes(`/api/volumes/${plain.body.id}`, 'available');
    }
  });

  it('are fresh in the list with the last event', async () => {
    await project.mine.read('/api/volumes');

    const last = (await follow('POST /api/volumes/async', { body: { name: 'v', size_gb: 1 } })).at(-1);

    const volumes = await project.mine.read<Volume[]>('/api/volumes');
    assert.ok(volumes.some(({ id }) => id === last?.resource_id));
  });

  it('fail with the reason before anything is created', async () => {
    await project.setQuota({ gigabytes: 100 });
    for (const [body, code] of [
      [{ size_gb: 1000 }, 'quota_exceeded'],
      [{ snapshot_id: crypto.randomUUID() }, 'not_found'],
      [{ size_gb: 1, volume_type: 'nothing' }, 'not_found'],
      [{ size_gb: 1, availability_zone: 'nowhere' }, 'invalid_input'],
    ] as const) {
      const last = (await follow('POST /api/volumes/async', { body: { name: 'refused', ...body } })).at(-1);
      assert.deepEqual(
        [last?.step, last?.code, last?.resource_id],
        ['FAILED', code, null],
        last?.error ?? '',
      );
    }

    const volumes = await project.mine.read<Volume[]>('/api/volumes?refresh=true');
    assert.equal(volumes.filter(({ name }) => name === 'refused').length, 0);
  });

  it('are removed when they are cancelled', async () => {
    const body = { name: 'cancelled', size_gb: 1 };
    const events = await project.slowly(() =>
      followed(project.mine, 'POST /api/volumes/async', { body }, async ({ job_id, step }) => {
        if (step !== 'CREATING') return;
        assert.equal((await project.ask('POST', `/api/jobs/${job_id}/cancel`)).status, 202);
      }),
    );

    assert.equal(events.at(-1)?.step, 'FAILED');
    const volumes = await project.mine.read<Volume[]>('/api/volumes?refresh=true');
    assert.equal(volumes.filter(({ name }) => name === 'cancelled').length, 0);
  });
});
