import assert from 'node:assert/strict';
import type { Volume } from '@gateway/resources';
import type { ErrorBody } from '../support/api/client.ts';
import { eventually } from '../support/eventually.ts';
import { BlockStorageProject } from '../support/projects/block-storage-project.ts';

const MISSING = '00000000-0000-4000-8000-000000000000';

describe('volumes in the hands of an administrator', function () {
  this.timeout(300_000);
  let project: BlockStorageProject;

  before(async () => {
    project = await BlockStorageProject.start();
  });

  after(() => project?.remove());

  const ask = <T = ErrorBody>(method: string, path: string, body?: object) =>
    project.ask<T>(method, `/api/admin/volumes/${path}`, body, project.others.admin);

  /** The row of the member's own list, which is cached. */
  const rowOf = async (id: string) =>
    (await project.ask<Volume[]>('GET', '/api/volumes')).body.find((row) => row.id === id);

  it('are renamed and described, which their project sees in its next list', async () => {
    const id = await project.makeVolume(1, 'before');
    assert.equal((await rowOf(id))?.name, 'before');

    const renamed = await ask('PATCH', id, { name: 'after', description: 'for two\nlines' });
    const untouched = await ask('PATCH', id, { name: null });

    assert.deepEqual(
      [renamed.status, renamed.body],
      [200, { id, name: 'after', status: 'available', size: 1 }],
    );
    assert.deepEqual(untouched.body, renamed.body);
    const row = await rowOf(id);
    assert.deepEqual([row?.name, row?.description], ['after', 'for two\nlines']);
  });

  it('are enlarged if their state, the size and the quota allow it', async () => {
    const id = await project.makeVolume(1, 'small');
    const same = await ask<ErrorBody & { errors: { field: string }[] }>('POST', `${id}/extend`, {
      new_size: 1,
    });
    assert.deepEqual([same.status, same.body.errors[0]?.field], [400, 'body.new_size']);
    await project.setQuota({ gigabytes: 10 });
    const tooLarge = await ask('POST', `${id}/extend`, { new_size: 500 });
    assert.deepEqual([tooLarge.status, tooLarge.body.code], [409, 'quota_exceeded'], tooLarge.text);
    await project.setState('volumes', id, 'error');
    const failed = await ask('POST', `${id}/extend`, { new_size: 2 });
    assert.deepEqual([failed.status, failed.body.code], [409, 'conflict']);
    assert.equal(
      failed.body.detail,
      'The volume cannot be extended in its state error: it has to be available.',
    );
    await project.setState('volumes', id, 'available');

    const extended = await ask('POST', `${id}/extend`, { new_size: 2 });

    assert.deepEqual([extended.status, extended.body], [200, { status: 'extending' }]);
    await eventually(async () => (await rowOf(id))?.size === 2, 60_000);
  });

  it('get another status, which their project sees in its next list', async () => {
    const id = await project.makeVolume(1, 'stuck');
    await rowOf(id);
    const refused = await ask('POST', `${id}/reset-status`, { status: 'in-use' });
    assert.deepEqual([refused.status, refused.body.code], [409, 'conflict'], refused.text);
    assert.equal(
      refused.body.detail,
      'The volume cannot become in-use in its state available: it is not attached.',
    );
    for (const status of ['error', 'available']) {
      const answer = await ask('POST', `${id}/reset-status`, status === 'available' ? undefined : { status });
      assert.deepEqual([answer.status, answer.body], [200, { status }]);
      assert.equal((await rowOf(id))?.status, status);
    }
    assert.equal((await ask('POST', `${id}/reset-status`, { status: 'deleting' })).status, 400);
  });

  it('are deleted unless their state, a snapshot or an instance prevents it', async () => {
    const id = await project.makeVolume(1, 'kept');
    const { body: snapshot } = await project.ask<{ id: string }>('POST', '/api/volume-snapshots', {
      name: 'kept',
      volume_id: id,
    });
    await project.becomes(`/api/volume-snapshots/${snapshot.id}`, 'available');
    const refused = await ask('DELETE', id);
    assert.deepEqual([refused.status, refused.body.code], [409, 'conflict'], refused.text);
    assert.match(refused.body.detail, /has a snapshot/);
    await project.ask('DELETE', `/api/volume-snapshots/${snapshot.id}`);
    await project.isGone(`/api/volume-snapshots/${snapshot.id}`);
    const server = await project.makeServer();
    await project.attach(server.id, id);
    const attached = await ask('DELETE', id);
    assert.deepEqual([attached.status, attached.body.code], [409, 'conflict'], attached.text);
    assert.equal(
      attached.body.detail,
      'The volume cannot be deleted in its state in-use: it has to be available or failed, and not in use.',
    );
    await project.detach(server.id, id);
    await server.remove();
    await rowOf(id);

    const { status } = await ask('DELETE', id);

    assert.equal(status, 204);
    assert.notEqual((await rowOf(id))?.status, 'available');
    await project.isGone(`/api/volumes/${id}`);
    for (const missing of [MISSING, id, 'detail']) assert.equal((await ask('DELETE', missing)).status, 404);
    assert.equal((await ask('PATCH', MISSING, { name: 'x' })).status, 404);
    assert.equal((await ask('POST', `${MISSING}/extend`, { new_size: 5 })).status, 404);
    assert.equal((await ask('POST', `${MISSING}/reset-status`)).status, 404);
  });
});
