import assert from 'node:assert/strict';
import { removeShare } from '@gateway/inventory';
import { fixture, fixtureBody, mockUpstream, type Upstream } from '../../../support/doubles/upstream.ts';
import { call, recordedIdentity, testCloud } from '../../openstack/cloud.ts';

describe('the removal of a share', () => {
  let upstream: Upstream;

  beforeEach(() => {
    upstream = mockUpstream();
  });

  afterEach(() => upstream.close());

  it('waits for the end of a deletion without a status', async () => {
    const identity = recordedIdentity();
    const client = testCloud().openstack.forProject(identity, call, identity.projectId);
    const { path } = fixture('shared-file-system/share').request;
    const share = fixtureBody<{ id: string }>('shared-file-system/share', 'share');
    const found = { share: { ...share, project_id: identity.projectId, status: null } };
    upstream
      .reply('shared-file-system/share', { body: found, times: 3 })
      .reply('shared-file-system/share-not-found', { path });

    await removeShare({ remover: () => client, forcer: async () => null }, share.id, {
      timeoutMs: 10_000,
      intervals: { firstMs: 1, maxMs: 1 },
      stuckAfterMs: 60_000,
    });

    upstream.assertAllUsed();
    assert.ok(upstream.calls.every(({ method }) => method === 'GET'));
  });
});
