import assert from 'node:assert/strict';
import type { Snapshot } from '@gateway/resources';
import {
  type BlockStorageProject,
  prepareProjectWithServer,
} from '../support/projects/block-storage-project.ts';
import type { Prepared } from '../support/projects/prepared-cloud.ts';

const LIST = '/api/volume-snapshots';

describe('snapshots of volumes', function () {
  this.timeout(600_000);
  let project: BlockStorageProject;
  let server: Prepared;
  let volumeId: string;

  prepareProjectWithServer(async (...made) => {
    [project, server] = made;
    volumeId = await project.makeVolume();
  });

  async function take(body: object = {}): Promise<Snapshot> {
    const answer = await project.ask<Snapshot>('POST', LIST, { name: 's', volume_id: volumeId, ...body });
    assert.equal(answer.status, 201, answer.text);
    assert.equal(answer.body.status, 'creating');
    await project.becomes(`${LIST}/${answer.body.id}`, 'available');
    return answer.body;
  }

  it('are taken, listed, read and deleted', async () => {
    const { id } = await take({ name: 'before', description: 'the upgrade' });

    const read = await project.ask<Snapshot>('GET', `${LIST}/${id}`);
    const listed = await project.ask<Snapshot[]>('GET', LIST);
    const deleted = await project.ask('DELETE', `${LIST}/${id}`);

    const { name, description, size, volume_id } = read.body;
    assert.deepEqual(
      { name, description, size, volume_id },
      { name: 'before', description: 'the upgrade', size: 1, volume_id: volumeId },
    );
    assert.deepEqual(listed.body, [read.body]);
    assert.equal(deleted.status, 204);
    await project.isGone(`${LIST}/${id}`);
    assert.equal((await project.ask('DELETE', `${LIST}/${id}`)).status, 404);
  });

  it('exist for their own project only', async () => {
    const { id } = await take();

    await project.isUnlisted(LIST, id);
    await project.isHidden('GET', `${LIST}/${id}`);
    await project.isHidden('DELETE', `${LIST}/${id}`);
    await project.isHidden('POST', LIST, { name: 's', volume_id: volumeId, force: true });

    assert.equal((await project.ask('GET', `${LIST}/${id}`)).status, 200);
  });

  it('of a volume in use are taken by force only', async () => {
    await project.attach(server.id, volumeId);

    await project.isRefused('POST', LIST, 'in-use', { name: 's', volume_id: volumeId });
    await take({ force: true });

    await project.detach(server.id, volumeId);
  });

  it('require the right state of snapshot and volume', async () => {
    const { id } = await take();
    await project.setState('snapshots', id, 'creating');

    await project.isRefused('DELETE', `${LIST}/${id}`, 'creating');
    await project.setState('snapshots', id, 'available');
    await project.setState('volumes', volumeId, 'error');
    await project.isRefused('POST', LIST, 'error', { name: 's', volume_id: volumeId });

    await project.setState('volumes', volumeId, 'available');
  });

  it('are not taken beyond the quota, or of nothing', async () => {
    await project.setQuota({ snapshots: 0 });

    const full = await project.ask<{ code: string }>('POST', LIST, { name: 's', volume_id: volumeId });
    await project.setQuota({ snapshots: 10 });
    const missing = await project.ask('POST', LIST, { name: 's', volume_id: crypto.randomUUID() });

    assert.deepEqual([full.status, full.body.code], [409, 'quota_exceeded']);
    assert.equal(missing.status, 404);
  });
});
