import assert from 'node:assert/strict';
import type { Snapshot } from '@gateway/resources';
import {
  answers,
  MARKED,
  refuses,
  snapshotOf,
  VOLUME_ID,
  volumeOf,
} from '../../support/api/block-storage.ts';
import type { ErrorBody } from '../../support/api/client.ts';
import { newCaller, OTHER_PROJECT } from '../../support/api/factories.ts';
import { apiSuite } from '../../support/api/suite.ts';

const PATH = '/api/volume-snapshots/snapshot-1';
const body = { name: 'before', volume_id: VOLUME_ID };

describe('snapshots of volumes', () => {
  const suite = apiSuite();

  it('are listed', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());
    answers(suite.cloud, 'GET /snapshots/detail', { snapshots: [snapshotOf(caller)] });

    const answer = await api.get<Snapshot[]>('/api/volume-snapshots', { as: caller });

    assert.deepEqual(answer.body, [
      {
        id: 'snapshot-1',
        name: 'before',
        description: '',
        status: 'available',
        size: 1,
        volume_id: VOLUME_ID,
        volume_name: null,
        created_at: '2026-11-22T02:02:25Z',
        managed_by: null,
        allowed_actions: ['delete'],
      },
    ]);
  });

  it('are taken, of a volume in use by force', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());
    answers(suite.cloud, `GET /volumes/${VOLUME_ID}`, { volume: volumeOf(caller, { status: 'in-use' }) });
    answers(
      suite.cloud,
      'POST /snapshots',
      { snapshot: snapshotOf(caller, { status: 'creating', description: 'd' }) },
      {
        status: 202,
        requestBody: { snapshot: { ...body, description: 'd', force: true, metadata: MARKED } },
      },
    );

    const answer = await api.post<Snapshot>('/api/volume-snapshots', {
      as: caller,
      body: { ...body, description: 'd', force: true },
    });

    assert.deepEqual([answer.status, answer.body.status, answer.body.description], [201, 'creating', 'd']);
  });

  it('are 409 of a volume in use without force', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());
    const volume = volumeOf(caller, { status: 'in-use' });
    answers(suite.cloud, `GET /volumes/${VOLUME_ID}`, { volume }, { times: 2 });
    refuses(
      suite.cloud,
      'POST /snapshots',
      `Invalid volume: Volume ${VOLUME_ID} status must be available, but current status is: in-use.`,
    );

    const answer = await api.post<ErrorBody>('/api/volume-snapshots', { as: caller, body });

    assert.equal(answer.status, 409);
    assert.match(answer.body.detail, /^No snapshot of the volume can be taken in its state in-use: /);
  });

  it('are 404 in another project, and so is its volume', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller({ roles: ['admin'] }));
    const snapshot = snapshotOf(caller, { 'os-extended-snapshot-attributes:project_id': OTHER_PROJECT });
    answers(suite.cloud, 'GET /snapshots/snapshot-1', { snapshot }, { times: 2 });
    const volume = volumeOf(caller, { 'os-vol-tenant-attr:tenant_id': OTHER_PROJECT });
    answers(suite.cloud, `GET /volumes/${VOLUME_ID}`, { volume });

    const refused = [
      await api.get(PATH, { as: caller }),
      await api.request('DELETE', PATH, { as: caller }),
      await api.post('/api/volume-snapshots', { as: caller, body }),
    ];

    assert.deepEqual(
      refused.map(({ status }) => status),
      [404, 404, 404],
    );
  });

  it('are served if the cloud hides their project from members', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());
    const { 'os-extended-snapshot-attributes:project_id': _, ...snapshot } = snapshotOf(caller);
    answers(suite.cloud, 'GET /snapshots/snapshot-1', { snapshot });

    assert.equal((await api.get(PATH, { as: caller })).status, 200);
  });

  it('are 409 to delete in the wrong state', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());
    const snapshot = snapshotOf(caller, { status: 'backing-up' });
    answers(suite.cloud, 'GET /snapshots/snapshot-1', { snapshot });

    const answer = await api.request<ErrorBody>('DELETE', PATH, { as: caller });

    assert.equal(answer.status, 409);
    assert.match(
      answer.body.detail,
      /^The snapshot cannot be deleted in its state backing-up: .*\. If this state does not end, /,
    );
  });

  it('are 409 to delete if their state changes before the call', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());
    answers(suite.cloud, 'GET /snapshots/snapshot-1', { snapshot: snapshotOf(caller) });
    refuses(
      suite.cloud,
      'DELETE /snapshots/snapshot-1',
      'Invalid snapshot: Snapshot status must be available or error and must not be part of a group.',
    );
    const snapshot = snapshotOf(caller, { status: 'backing-up' });
    answers(suite.cloud, 'GET /snapshots/snapshot-1', { snapshot });

    const answer = await api.request<ErrorBody>('DELETE', PATH, { as: caller });

    assert.equal(answer.status, 409);
    assert.match(answer.body.detail, /^The snapshot cannot be deleted in its state backing-up: /);
  });

  it('are 400 without a volume', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());

    assert.equal((await api.post('/api/volume-snapshots', { as: caller, body: { name: 's' } })).status, 400);
  });
});
