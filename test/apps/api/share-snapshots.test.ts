import assert from 'node:assert/strict';
import type { FileStorage, ShareSnapshot } from '@gateway/resources';
import type { ErrorBody } from '../../support/api/client.ts';
import { newCaller, OTHER_PROJECT, type TestCaller } from '../../support/api/factories.ts';
import { answersShare, forbidden, share } from '../../support/api/file-storage.ts';
import { serviceCalls } from '../../support/api/service-calls.ts';
import { apiSuite } from '../../support/api/suite.ts';

const { answers } = serviceCalls('shared-file-system/share', '/v2');
const PATH = '/api/file-storage/snapshots';
const SNAPSHOT = `${PATH}/snapshot-1`;

describe('snapshots of file storages', () => {
  const suite = apiSuite();

  /** As the service sends it. */
  function snapshotOf({ projectId }: Pick<TestCaller, 'projectId'>, differences: object = {}) {
    return {
      id: 'snapshot-1',
      share_id: share.id,
      share_size: 1,
      created_at: '2026-11-22T03:00:00.000000',
      status: 'available',
      name: 'before',
      description: null,
      size: 2,
      share_proto: 'NFS',
      project_id: projectId,
      ...differences,
    };
  }

  async function start() {
    const api = await suite.start();
    return { api, caller: suite.cloud.validCaller(newCaller()) };
  }

  function answersSnapshot(caller: Pick<TestCaller, 'projectId'>, differences: object = {}): void {
    answers(suite.cloud, 'GET /snapshots/snapshot-1', { snapshot: snapshotOf(caller, differences) });
  }

  it('are listed with the names of their file storages', async () => {
    const { api, caller } = await start();
    const path = /snapshots\/detail/;
    answers(suite.cloud, 'GET /snapshots/detail', { snapshots: [snapshotOf(caller)] }, { path });
    answers(suite.cloud, 'GET /snapshots/detail', { snapshots: [] }, { path });
    const shares = { shares: [{ ...share, name: 'data' }], count: 1 };
    answers(suite.cloud, 'GET /shares/detail', shares, { path: /shares\/detail/ });

    const { body } = await api.get<ShareSnapshot[]>('/api/file-storage/snapshots', { as: caller });

    assert.deepEqual(body, [
      {
        id: 'snapshot-1',
        name: 'before',
        description: '',
        status: 'available',
        size: 2,
        share_proto: 'NFS',
        file_storage_id: share.id,
        file_storage_name: 'data',
        created_at: '2026-11-22T03:00:00Z',
      },
    ]);
  });

  it('are taken of an available file storage of the project', async () => {
    const { api, caller } = await start();
    answersShare(suite.cloud, { project_id: caller.projectId, status: 'available', name: 'data' });
    answers(
      suite.cloud,
      'POST /snapshots',
      { snapshot: snapshotOf(caller, { status: 'creating' }) },
      {
        status: 202,
        requestBody: { snapshot: { share_id: share.id, name: 'before' } },
      },
    );

    const answer = await api.post<ShareSnapshot>('/api/file-storage/snapshots', {
      as: caller,
      body: { name: 'before', file_storage_id: share.id },
    });

    assert.deepEqual(
      [answer.status, answer.body.status, answer.body.file_storage_name],
      [201, 'creating', 'data'],
    );
  });

  for (const [what, differences, status] of [
    ['of another project', { project_id: OTHER_PROJECT }, 404],
    ['that is being created', { status: 'creating' }, 409],
    ['whose type has no snapshots', { snapshot_support: false }, 409],
  ] as const) {
    it(`are refused of a file storage ${what}`, async () => {
      const { api, caller } = await start();
      const own = { project_id: caller.projectId, status: 'available' };
      answersShare(suite.cloud, { ...own, ...differences });

      const answer = await api.post<ErrorBody>(PATH, {
        as: caller,
        body: { name: 'before', file_storage_id: share.id },
      });

      assert.equal(answer.status, status, answer.text);
    });
  }

  it('are read and deleted in their own project only', async () => {
    const { api, caller } = await start();
    for (let count = 0; count < 2; count += 1) answersSnapshot({ projectId: OTHER_PROJECT });
    answersSnapshot(caller);
    answers(suite.cloud, 'DELETE /snapshots/snapshot-1', undefined as never, { status: 202 });
    const send = async (method: string) =>
      (await api.request(method, '/api/file-storage/snapshots/snapshot-1', { as: caller })).status;

    assert.deepEqual([await send('GET'), await send('DELETE'), await send('DELETE')], [404, 404, 204]);
  });

  it('are not deleted while they are made, also if that began later', async () => {
    const { api, caller } = await start();
    for (const status of ['creating', 'available', 'deleting']) answersSnapshot(caller, { status });
    const refusal = forbidden('Invalid share snapshot: Share Snapshot status must be one of');
    answers(suite.cloud, 'DELETE /snapshots/snapshot-1', refusal.body, { status: refusal.status });
    const remove = async () => (await api.request<ErrorBody>('DELETE', SNAPSHOT, { as: caller })).body;

    const refusals = [await remove(), await remove()];

    assert.deepEqual(
      refusals.map(({ code, detail }) => [code, detail.split('.')[0]]),
      [
        ['conflict', 'The snapshot is creating'],
        ['conflict', 'The snapshot is deleting'],
      ],
    );
  });

  it('fill a new file storage with their protocol and type', async () => {
    const { api, caller } = await start();
    answersSnapshot(caller);
    suite.cloud.reply('shared-file-system/share-create', {
      requestBody({ share: wanted }: { share: Record<string, unknown> }) {
        const { metadata: _, ...rest } = wanted;
        assert.deepEqual(rest, { name: 'copy', size: 2, share_proto: 'NFS', snapshot_id: 'snapshot-1' });
        return true;
      },
    });

    const body = { name: 'copy', size_gb: 2, snapshot_id: 'snapshot-1' };
    const answer = await api.post<FileStorage>('/api/file-storage', { as: caller, body });

    assert.equal(answer.status, 201, answer.text);
  });

  for (const path of ['/api/file-storage', '/api/file-storage/async']) {
    it(`fill a large file storage, once they are available: ${path}`, async () => {
      const { api, caller } = await start();
      answersSnapshot(caller);
      answersSnapshot(caller, { status: 'creating' });
      const create = async (size_gb: number) => {
        const body = { name: 'copy', size_gb, snapshot_id: 'snapshot-1' };
        const { body: refused, status } = await api.post<ErrorBody>(path, { as: caller, body });
        return [status, refused.errors?.[0]?.field];
      };

      assert.deepEqual(
        [await create(1), await create(2)],
        [
          [400, 'body.size_gb'],
          [409, undefined],
        ],
      );
    });
  }
});
