import assert from 'node:assert/strict';
import type { Backup, Volume } from '@gateway/resources';
import {
  type BlockStorageProject,
  prepareProjectWithServer,
} from '../support/projects/block-storage-project.ts';
import type { Prepared } from '../support/projects/prepared-cloud.ts';

const LIST = '/api/volumes/backups';

interface Restored {
  restore: { backup_id: string; volume_id: string; volume_name: string };
}

/** A backup takes minutes on a real cloud, so the tests share one of 2 GB. */
describe('backups of volumes', function () {
  this.timeout(900_000);
  let project: BlockStorageProject;
  let server: Prepared;
  let volumeId: string;
  let backupId: string;

  prepareProjectWithServer(async (...made) => {
    [project, server] = made;
    volumeId = await project.makeVolume(2);
  });

  async function backUp(body: object = {}): Promise<string> {
    const answer = await project.ask<Backup>('POST', LIST, { name: 'b', volume_id: volumeId, ...body });
    assert.equal(answer.status, 201, answer.text);
    return answer.body.id;
  }

  it('are created and listed, and locked until they are available', async () => {
    const created = await project.slowly(() =>
      project.ask('POST', LIST, { name: 'nightly', volume_id: volumeId, description: 'the first' }),
    );
    backupId = (created.body as Backup).id;
    const expected = { id: backupId, name: 'nightly', status: 'creating', volume_id: volumeId };

    assert.equal(created.status, 201);
    assert.deepEqual(created.body, expected);
    await project.isRefused('DELETE', `${LIST}/${backupId}`, 'creating');
    await project.isRefused('POST', `${LIST}/${backupId}/restore`, 'creating', {});
    await project.isRefused('POST', LIST, 'backing-up', { name: 'b', volume_id: volumeId });
    await project.isRefused('DELETE', `/api/volumes/${volumeId}`, 'backing-up');
    await project.becomes(`${LIST}/${backupId}`, 'available');
    const read = await project.ask<Backup>('GET', `${LIST}/${backupId}`);
    const { description, size, is_incremental } = read.body;
    assert.deepEqual([description, size, is_incremental], ['the first', 2, false]);
    assert.deepEqual((await project.ask('GET', LIST)).body, [read.body]);
  });

  it('exist for their own project only', async () => {
    await project.isUnlisted(LIST, backupId);
    await project.isHidden('GET', `${LIST}/${backupId}`);
    await project.isHidden('DELETE', `${LIST}/${backupId}`);
    await project.isHidden('POST', `${LIST}/${backupId}/restore`, { name: 'theirs' });
    await project.isHidden('POST', LIST, { name: 'b', volume_id: volumeId, force: true });

    const foreign = await project.ask<Volume>(
      'POST',
      '/api/volumes',
      { name: 'foreign', size_gb: 2 },
      project.others.alice,
    );
    const path = `/api/volumes/${foreign.body.id}`;
    await project.becomes(path, 'available', project.others.alice);
    const over = await project.ask('POST', `${LIST}/${backupId}/restore`, { volume_id: foreign.body.id });
    assert.equal(over.status, 404);
    await project.ask('DELETE', path, undefined, project.others.alice);
    await project.isGone(path, project.others.alice);
  });

  it('are restored into a new volume that is named after the backup', async () => {
    const { status, body } = await project.ask<Restored>('POST', `${LIST}/${backupId}/restore`, {});
    const { volume_id, ...rest } = body.restore;

    assert.equal(status, 200);
    assert.deepEqual(rest, { backup_id: backupId, volume_name: 'nightly' });
    await project.becomes(`/api/volumes/${volume_id}`, 'available');
    await project.becomes(`${LIST}/${backupId}`, 'available');
    const { name, size } = (await project.ask<Volume>('GET', `/api/volumes/${volume_id}`)).body;
    assert.deepEqual([name, size], ['nightly', 2]);
  });

  it('are restored over an existing volume, if detached and large enough', async () => {
    const small = await project.makeVolume(1);
    const path = `${LIST}/${backupId}/restore`;
    await project.isRefused('POST', path, /too small to restore backup of size 2/, { volume_id: small });
    await project.attach(server.id, volumeId);
    await project.isRefused('POST', path, 'in-use', { volume_id: volumeId });
    await project.isRefused('POST', LIST, 'in-use', { name: 'b', volume_id: volumeId });
    await project.detach(server.id, volumeId);

    const { status, body } = await project.slowly(() =>
      project.ask<Restored>('POST', path, { volume_id: volumeId }),
    );

    assert.equal(status, 200);
    assert.deepEqual(body, {
      restore: { backup_id: backupId, volume_id: volumeId, volume_name: 'made' },
    });
    await project.isRefused('DELETE', `${LIST}/${backupId}`, 'restoring');
    await project.becomes(`/api/volumes/${volumeId}`, 'available');
    await project.becomes(`${LIST}/${backupId}`, 'available');
  });

  it('of volumes in use require force, and their restore enough quota', async () => {
    const inUse = await project.makeVolume(1);
    await project.attach(server.id, inUse);
    const id = await backUp({ volume_id: inUse, force: true });
    await project.becomes(`${LIST}/${id}`, 'available');
    await project.becomes(`/api/volumes/${inUse}`, 'in-use');
    await project.setQuota({ volumes: 1, backups: 1 });

    const restored = await project.ask<{ code: string }>('POST', `${LIST}/${id}/restore`, { name: 'n' });
    const made = await project.ask<{ code: string }>('POST', LIST, { name: 'b', volume_id: volumeId });

    assert.deepEqual([restored.status, restored.body.code], [409, 'quota_exceeded']);
    assert.deepEqual([made.status, made.body.code], [409, 'quota_exceeded']);
    await project.setQuota({ volumes: 10, backups: 10 });
    await project.detach(server.id, inUse);
  });

  it('are not deleted while incremental ones depend on them', async () => {
    const { backup } = await project.cloud.call<{ backup: { id: string } }>('volumev3', 'POST', '/backups', {
      backup: { volume_id: volumeId, name: 'later', incremental: true },
    });
    await project.becomes(`${LIST}/${backup.id}`, 'available');
    const later = await project.ask<Backup>('GET', `${LIST}/${backup.id}`);
    assert.equal(later.body.is_incremental, true);

    await project.isRefused(
      'DELETE',
      `${LIST}/${backupId}`,
      /in its state available: later backups depend on it/,
    );

    for (const id of [backup.id, backupId]) {
      assert.equal((await project.ask('DELETE', `${LIST}/${id}`)).status, 204);
      await project.isGone(`${LIST}/${id}`);
      assert.equal((await project.ask('DELETE', `${LIST}/${id}`)).status, 404);
    }
  });
});
