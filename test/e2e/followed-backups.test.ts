import assert from 'node:assert/strict';
import type { Backup, Volume } from '@gateway/resources';
import type { StreamEndpoint, StreamInput } from '../../packages/client/src/index.ts';
import { BlockStorageProject } from '../support/projects/block-storage-project.ts';
import { followed } from '../support/subjects/followed.ts';

const CREATE = 'POST /api/volumes/backups/async';
const RESTORE = 'POST /api/volumes/backups/{backup_id}/restore/async';

/** A backup takes minutes on a real cloud, so the tests share one of 2 GB. */
describe('followed backups of volumes', function () {
  this.timeout(900_000);
  let project: BlockStorageProject;
  let volumeId: string;
  let backup_id: string;

  before(async () => {
    project = await BlockStorageProject.start({ startsJobs: true });
    volumeId = await project.makeVolume(2);
  });
  after(() => project?.remove());

  const follow = <Name extends StreamEndpoint>(endpoint: Name, input: StreamInput<Name>) =>
    followed(project.mine, endpoint, input);

  async function fails(events: Promise<{ step: string; code?: string; error: string | null }[]>) {
    const last = (await events).at(-1);
    assert.equal(last?.step, 'FAILED', JSON.stringify(last));
    return [last?.code, last?.error];
  }

  it('end when the backup is available', async () => {
    const body = { name: 'nightly', volume_id: volumeId, description: 'the first' };
    const events = await follow(CREATE, { body });

    assert.deepEqual(
      events.map(({ step }) => step),
      ['CHECKING', 'CREATING', 'COMPLETED'],
    );
    const last = events.at(-1);
    assert.deepEqual([last?.resource_type, last?.error], ['backup', null]);
    backup_id = last?.resource_id ?? '';
    const { body: backup } = await project.ask<Backup>('GET', `/api/volumes/backups/${backup_id}`);
    const { description, name, status, volume_id } = backup;
    assert.deepEqual([description, name, status, volume_id], ['the first', 'nightly', 'available', volumeId]);
  });

  it('are restored into a new volume that is named after the backup', async () => {
    const events = await follow(RESTORE, { path: { backup_id }, body: {} });

    assert.deepEqual(
      events.map(({ step }) => step),
      ['CHECKING', 'CREATING', 'RESTORING', 'COMPLETED'],
    );
    const id = events.at(-1)?.resource_id ?? '';
    assert.notEqual(id, volumeId);
    const { name, size, status } = (await project.ask<Volume>('GET', `/api/volumes/${id}`)).body;
    assert.deepEqual([name, size, status], ['nightly', 2, 'available']);
  });

  it('are restored over an existing volume', async () => {
    const events = await follow(RESTORE, { path: { backup_id }, body: { volume_id: volumeId } });

    assert.deepEqual(
      events.map(({ step }) => step),
      ['CHECKING', 'RESTORING', 'COMPLETED'],
    );
    assert.equal(events.at(-1)?.resource_id, volumeId);
    const { status } = (await project.ask<Volume>('GET', `/api/volumes/${volumeId}`)).body;
    assert.equal(status, 'available');
  });

  it('fail with the reason before anything is created or overwritten', async () => {
    const small = await project.makeVolume(1);
    const unknown = crypto.randomUUID();
    assert.deepEqual(await fails(follow(RESTORE, { path: { backup_id }, body: { volume_id: small } })), [
      'conflict',
      'The volume cannot be overwritten: its 1 GB are too small to restore a backup of 2 GB.',
    ]);
    assert.deepEqual(await fails(follow(RESTORE, { path: { backup_id: unknown }, body: {} })), [
      'not_found',
      `Backup ${unknown} was not found.`,
    ]);
    assert.deepEqual(await fails(follow(CREATE, { body: { name: 'b', volume_id: unknown } })), [
      'not_found',
      `Volume ${unknown} was not found.`,
    ]);
    await project.setQuota({ volumes: 1, backups: 1 });
    const [overVolumes] = await fails(follow(RESTORE, { path: { backup_id }, body: {} }));
    const [overBackups] = await fails(follow(CREATE, { body: { name: 'b', volume_id: volumeId } }));
    assert.deepEqual([overVolumes, overBackups], ['quota_exceeded', 'quota_exceeded']);
    await project.setQuota({ volumes: 10, backups: 10 });
  });

  it('that are cancelled remove the new volume, and keep the overwritten one', async () => {
    const before = await project.mine.read<Volume[]>('/api/volumes?refresh=true');
    for (const body of [{}, { volume_id: volumeId }]) {
      const events = await project.slowly(() =>
        followed(project.mine, RESTORE, { path: { backup_id }, body }, async ({ job_id, step }) => {
          if (step !== 'RESTORING') return;
          assert.equal((await project.ask('POST', `/api/jobs/${job_id}/cancel`)).status, 202);
        }),
      );
      const last = events.at(-1);
      assert.deepEqual([last?.step, last?.code, last?.resource_id], ['FAILED', 'cancelled', null]);
      await project.becomes(`/api/volumes/backups/${backup_id}`, 'available');
    }
    await project.becomes(`/api/volumes/${volumeId}`, 'available');
    const after = await project.mine.read<Volume[]>('/api/volumes?refresh=true');
    assert.deepEqual(after.map(({ id }) => id).sort(), before.map(({ id }) => id).sort());
  });
});
