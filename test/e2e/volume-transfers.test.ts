import assert from 'node:assert/strict';
import type { Transfer, Volume } from '@gateway/resources';
import type { ErrorBody } from '../support/api/client.ts';
import {
  type BlockStorageProject,
  prepareProjectWithServer,
} from '../support/projects/block-storage-project.ts';
import type { Prepared } from '../support/projects/prepared-cloud.ts';

const LIST = '/api/volumes/transfers';

interface NewTransfer extends Transfer {
  auth_key: string;
}

describe('transfers of volumes', function () {
  this.timeout(600_000);
  let project: BlockStorageProject;
  let server: Prepared;

  prepareProjectWithServer(
    (...made) => {
      [project, server] = made;
    },
    { apis: 2 },
  );

  async function offer(volumeId: string, body?: object): Promise<NewTransfer> {
    const answer = await project.ask<NewTransfer>('POST', `/api/volumes/${volumeId}/transfer`, body);
    assert.equal(answer.status, 201, answer.text);
    return answer.body;
  }

  function accept({ id, auth_key }: Pick<NewTransfer, 'id' | 'auth_key'>, who = project.others.alice) {
    return project.ask<ErrorBody>('POST', `/api/volumes/transfer/${id}/accept`, { auth_key }, who);
  }

  const withdraw = (id: string) => project.ask<ErrorBody>('DELETE', `/api/volumes/transfer/${id}`);

  it('are listed without key, only in their project, until withdrawn', async () => {
    const volumeId = await project.makeVolume();
    const { id, name, volume_id, auth_key } = await offer(volumeId, { name: 'gift' });
    const listed = await project.ask<Transfer[]>('GET', LIST);

    assert.deepEqual([name, volume_id], ['gift', volumeId]);
    assert.ok(auth_key.length >= 8);
    assert.deepEqual(
      listed.body.map((row) => [row.id, row.name, row.volume_id]),
      [[id, 'gift', volumeId]],
    );
    assert.equal(listed.text.includes(auth_key), false);
    await project.isUnlisted(LIST, id);
    await project.isHidden('DELETE', `/api/volumes/transfer/${id}`);
    await project.isHidden('POST', `/api/volumes/${volumeId}/transfer`);
    await project.isRefused('DELETE', `/api/volumes/${volumeId}`, 'awaiting-transfer');
    await project.isRefused('POST', `/api/volumes/${volumeId}/transfer`, 'awaiting-transfer');

    assert.equal((await withdraw(id)).status, 204);
    assert.deepEqual((await project.ask('GET', LIST)).body, []);
    assert.equal((await project.ask<Volume>('GET', `/api/volumes/${volumeId}`)).body.status, 'available');
    assert.equal((await withdraw(id)).status, 404);
    assert.equal((await accept({ id, auth_key })).status, 404);
  });

  it('move a volume with its snapshots at once, in all lists', async () => {
    const { alice } = project.others;
    const elsewhere = project.stack.apis[1]?.url ?? '';
    const volumeId = await project.makeVolume();
    const snapshot = await project.ask<{ id: string }>('POST', '/api/volume-snapshots', {
      name: 's',
      volume_id: volumeId,
    });
    await project.becomes(`/api/volume-snapshots/${snapshot.body.id}`, 'available');
    const transfer = await offer(volumeId);
    const has = async (who: typeof alice) =>
      (await who.at(elsewhere).read<Volume[]>('/api/volumes')).some(({ id }) => id === volumeId);
    assert.deepEqual([await has(project.mine), await has(alice)], [true, false]);

    const wrong = await accept({ id: transfer.id, auth_key: 'guess' });
    const accepted = await accept(transfer);

    assert.deepEqual([await has(project.mine), await has(alice)], [false, true]);
    assert.deepEqual([wrong.status, wrong.body.code], [400, 'invalid_input']);
    assert.equal(accepted.status, 200);
    assert.deepEqual(accepted.body, { id: transfer.id, volume_id: volumeId });
    assert.equal((await project.ask('GET', `/api/volumes/${volumeId}`)).status, 404);
    assert.deepEqual((await project.ask('GET', LIST)).body, []);
    assert.equal((await withdraw(transfer.id)).status, 404);
    assert.equal((await accept(transfer)).status, 404);
    const paths = [`/api/volume-snapshots/${snapshot.body.id}`, `/api/volumes/${volumeId}`];
    for (const path of paths) {
      const removed = await project.ask('DELETE', path, undefined, alice);
      assert.equal(removed.status, 204, removed.text);
      await project.isGone(path, alice);
    }
  });

  it('are rejected for attached volumes, and during a snapshot', async () => {
    const volumeId = await project.makeVolume();
    await project.attach(server.id, volumeId);
    await project.isRefused('POST', `/api/volumes/${volumeId}/transfer`, 'in-use');
    await project.detach(server.id, volumeId);
    const { body } = await project.ask<{ id: string }>('POST', '/api/volume-snapshots', {
      name: 's',
      volume_id: volumeId,
    });
    await project.becomes(`/api/volume-snapshots/${body.id}`, 'available');
    await project.setState('snapshots', body.id, 'creating');

    await project.isRefused(
      'POST',
      `/api/volumes/${volumeId}/transfer`,
      /snapshot: .* status must be available/,
    );

    await project.setState('snapshots', body.id, 'available');
  });

  it('are not accepted beyond the quota, nor without being there', async () => {
    const volumeId = await project.makeVolume();
    const transfer = await offer(volumeId);
    await project.setQuota({ volumes: 0 });
    const full = await accept(transfer, project.mine);
    await project.setQuota({ volumes: 10 });

    assert.deepEqual([full.status, full.body.code], [409, 'quota_exceeded']);
    assert.equal((await accept({ id: crypto.randomUUID(), auth_key: transfer.auth_key })).status, 404);
    assert.equal((await withdraw(transfer.id)).status, 204);
  });
});
