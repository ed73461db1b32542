import assert from 'node:assert/strict';
import type { Volume } from '@gateway/resources';
import type { ErrorBody } from '../support/api/client.ts';
import { eventually } from '../support/eventually.ts';
import {
  type BlockStorageProject,
  prepareProjectWithServer,
} from '../support/projects/block-storage-project.ts';
import type { Prepared } from '../support/projects/prepared-cloud.ts';

describe('volumes', function () {
  this.timeout(600_000);
  let project: BlockStorageProject;
  let server: Prepared;

  prepareProjectWithServer(
    (...made) => {
      [project, server] = made;
    },
    { apis: 2 },
  );

  /** The list from another api process. */
  async function idsElsewhere(): Promise<string[]> {
    const elsewhere = project.mine.at(project.stack.apis[1]?.url ?? '');
    return (await elsewhere.read<Volume[]>('/api/volumes')).map(({ id }) => id);
  }

  it('are created, listed, read and deleted, with fresh lists everywhere', async () => {
    assert.deepEqual(await idsElsewhere(), []);

    const created = await project.ask<Volume>('POST', '/api/volumes', {
      name: 'data ✓',
      size_gb: 2,
      availability_zone: 'nova',
    });
    const { id } = created.body;
    const listed = await idsElsewhere();
    await project.becomes(`/api/volumes/${id}`, 'available');
    const read = await project.ask<Volume>('GET', `/api/volumes/${id}`);
    const deleted = await project.ask('DELETE', `/api/volumes/${id}`);
    const [row] = (await project.mine.read<Volume[]>('/api/volumes')).filter((volume) => volume.id === id);

    assert.deepEqual([created.status, created.body.status], [201, 'creating']);
    assert.deepEqual(listed, [id]);
    const { name, size, volume_type, attachments, availability_zone } = read.body;
    assert.deepEqual(
      { name, size, volume_type, attachments, availability_zone },
      { name: 'data ✓', size: 2, volume_type: 'standard', attachments: [], availability_zone: 'nova' },
    );
    assert.deepEqual([deleted.status, deleted.text], [204, '']);
    assert.ok(row === undefined || row.status === 'deleting', row?.status);
    await project.isGone(`/api/volumes/${id}`);
    assert.equal((await project.ask('DELETE', `/api/volumes/${id}`)).status, 404);
    assert.equal((await project.ask('POST', `/api/volumes/${id}/force-delete`)).status, 404);
    await eventually(async () => (await idsElsewhere()).length === 0);
  });

  it('exist for their own project only, also for administrators of another one', async () => {
    const id = await project.makeVolume();

    await project.isUnlisted('/api/volumes', id);
    await project.isHidden('GET', `/api/volumes/${id}`);
    await project.isHidden('DELETE', `/api/volumes/${id}`);
    await project.isHidden('POST', `/api/volumes/${id}/force-delete`);
    await project.isHidden('PUT', `/api/volumes/${id}`, { name: 'theirs' });
    await project.isHidden('POST', `/api/volumes/${id}/extend`, { new_size: 2 });
    await project.isHidden('POST', `/api/volumes/${id}/retype`, { volume_type: 'fast' });
    await project.setState('volumes', id, 'error');
    await project.isHidden('POST', `/api/volumes/${id}/force-delete`);

    const { body } = await project.ask<Volume>('GET', `/api/volumes/${id}`);
    assert.equal(body.status, 'error');
  });

  it('are not created beyond the quota, in unknown zones, or without size', async () => {
    const large = await project.ask<ErrorBody>('POST', '/api/volumes', { name: 'v', size_gb: 60_000 });
    const elsewhere = await project.ask<ErrorBody>('POST', '/api/volumes', {
      name: 'v',
      size_gb: 1,
      availability_zone: 'nowhere',
    });

    assert.deepEqual([large.status, large.body.code], [409, 'quota_exceeded']);
    assert.match(large.body.detail, /gigabytes.* 60000 requested/);
    assert.deepEqual([elsewhere.status, elsewhere.body.code], [400, 'invalid_input']);
  });

  it('are renamed, enlarged and given another type by members', async () => {
    const id = await project.makeVolume(1, 'before');
    const path = `/api/volumes/${id}`;
    const types = await project.mine.read<{ name: string }[]>('/api/volume-types');
    const { volume_type } = (await project.ask<Volume>('GET', path)).body;
    const other = types.find(({ name }) => name !== volume_type && !name.startsWith('__'))?.name ?? '';

    const renamed = await project.ask<Volume>('PUT', path, { name: 'after', description: 'two\nlines' });
    const extended = await project.ask('POST', `${path}/extend`, { new_size: 2 });
    await project.becomes(path, 'available');
    const retyped = await project.ask('POST', `${path}/retype`, { volume_type: other });
    await project.becomes(path, 'available');

    assert.deepEqual([renamed.status, renamed.body.name], [200, 'after'], renamed.text);
    assert.deepEqual([extended.status, extended.body], [200, { status: 'extending' }], extended.text);
    assert.deepEqual([retyped.status, retyped.body], [200, { status: 'retyping' }], retyped.text);
    const { body } = await project.ask<Volume>('GET', path);
    assert.deepEqual(
      [body.name, body.description, body.size, body.volume_type],
      ['after', 'two\nlines', 2, other],
    );
    const shrunk = await project.ask<ErrorBody>('POST', `${path}/extend`, { new_size: 2 });
    const unknown = await project.ask<ErrorBody>('POST', `${path}/retype`, { volume_type: 'unknown' });
    await project.setState('volumes', id, 'error');
    await project.isRefused('POST', `${path}/extend`, 'error', { new_size: 3 });
    await project.isRefused('POST', `${path}/retype`, 'error', { volume_type });
    assert.deepEqual([shrunk.status, unknown.status], [400, 404]);
  });

  it('are not deleted while attached, even by force, and show attachments', async () => {
    const id = await project.makeVolume();
    await project.attach(server.id, id);

    const { body } = await project.ask<Volume>('GET', `/api/volumes/${id}`);
    await project.isRefused('DELETE', `/api/volumes/${id}`, 'in-use');
    await project.isRefused('POST', `/api/volumes/${id}/force-delete`, 'in-use');
    await project.setState('volumes', id, 'error');
    await project.isRefused('POST', `/api/volumes/${id}/force-delete`, 'error');
    await project.setState('volumes', id, 'in-use');

    assert.deepEqual(
      body.attachments.map(({ server_id, device }) => [server_id, /^\/dev\/[a-z]+$/.test(device)]),
      [[server.id, true]],
    );
    await project.detach(server.id, id);
    assert.equal((await project.ask('DELETE', `/api/volumes/${id}`)).status, 204);
    await project.isGone(`/api/volumes/${id}`);
  });

  it('are not deleted while they have snapshots, by force or not', async () => {
    const id = await project.makeVolume();
    const { body } = await project.ask<{ id: string }>('POST', '/api/volume-snapshots', {
      name: 's',
      volume_id: id,
    });
    await project.becomes(`/api/volume-snapshots/${body.id}`, 'available');

    await project.isRefused('DELETE', `/api/volumes/${id}`, /^The volume has a snapshot, /);
    await project.setState('volumes', id, 'error_deleting');
    await project.isRefused('POST', `/api/volumes/${id}/force-delete`, /^The volume has a snapshot, /);

    assert.equal((await project.ask<Volume>('GET', `/api/volumes/${id}`)).body.status, 'error_deleting');
  });

  it('are not deleted in a state between two others', async () => {
    const id = await project.makeVolume();
    await project.setState('volumes', id, 'extending');

    await project.isRefused('DELETE', `/api/volumes/${id}`, 'extending');
    await project.isRefused('POST', `/api/volumes/${id}/force-delete`, 'extending');

    await project.setState('volumes', id, 'available');
  });

  for (const state of ['error', 'error_deleting', 'available']) {
    it(`are deleted by force from the state ${state}`, async () => {
      const id = await project.makeVolume();
      await project.setState('volumes', id, state);

      const answer = await project.ask('POST', `/api/volumes/${id}/force-delete`);

      assert.equal(answer.status, 204, answer.text);
      await project.isGone(`/api/volumes/${id}`);
    });
  }
});
