import assert from 'node:assert/strict';
import type { ErrorBody } from '../../support/api/client.ts';
import { newCaller } from '../../support/api/factories.ts';
import {
  answersShare,
  forbidden,
  prebuilt,
  rule,
  SHARE_CALL,
  SHARE_PATH,
  share,
} from '../../support/api/file-storage.ts';
import { apiSuite } from '../../support/api/suite.ts';
import { fixtureBody } from '../../support/doubles/upstream.ts';

describe('DELETE /api/file-storage/{file_storage_id}', () => {
  const suite = apiSuite();

  function rulesAre(...rules: object[]): void {
    suite.cloud.reply('shared-file-system/access-rules', { body: { access_list: rules } });
  }

  function removalIs(options: object = { status: 202, body: '' }): void {
    suite.cloud.reply('shared-file-system/share', { method: 'DELETE', ...options });
  }

  it('deletes a share that only the rules of clients grant access to', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());
    answersShare(suite.cloud);
    rulesAre(rule);
    removalIs();

    const answer = await api.request('DELETE', SHARE_PATH, { as: caller });

    assert.equal(answer.status, 204, answer.text);
  });

  const ofInstance = { ...rule, metadata: { gateway_project_id: 'p', gateway_job_id: 'j' } };
  for (const [kind, own] of [
    ['by address', { ...ofInstance, access_type: 'ip', access_to: '10.0.0.5' }],
    ['by client name', { ...rule, access_to: 'gateway-p-j', metadata: {} }],
  ] as const) {
    it(`is 409 while an instance has access ${kind}`, async () => {
      const api = await suite.start();
      const caller = suite.cloud.validCaller(newCaller());
      answersShare(suite.cloud);
      rulesAre(own);

      const answer = await api.request<ErrorBody>('DELETE', SHARE_PATH, { as: caller });

      assert.deepEqual([answer.status, answer.body.code], [409, 'conflict']);
      assert.match(answer.body.detail, /in use by an instance/);
    });
  }

  it("is 409 while an instance's metadata contains it as a layer", async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());
    const [server] = fixtureBody<object[]>('compute/servers', 'servers');
    answersShare(suite.cloud, { metadata: { overlay_type: 'dynamic' } });
    rulesAre();
    suite.cloud.reply('compute/servers', {
      body: { servers: [{ ...server, metadata: { overlay_share_ids: `other,${share.id}` } }] },
    });

    assert.equal((await api.request('DELETE', SHARE_PATH, { as: caller })).status, 409);
  });

  it('is 409 while the job that creates its instance runs', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());
    const jobId = await api.context.producer.enqueue({
      type: 'library.build',
      payload: { libraryId: 'numpy-stack', version: '2.2' },
      credential: caller as never,
      requestId: 'req-1',
    });
    answersShare(suite.cloud, { metadata: { overlay_type: 'dynamic', overlay_instance: jobId } });

    const answer = await api.request<ErrorBody>('DELETE', SHARE_PATH, { as: caller });

    assert.equal(answer.status, 409, answer.text);
    assert.match(answer.body.detail, /job/);
  });

  for (const message of [
    "Invalid share: Share status must be one of ('available', 'error', 'inactive').",
    'Invalid share: Share still has 1 dependent snapshots..',
    'Invalid share: %(reason)s.',
  ]) {
    for (const [status, detail] of [
      [
        'extending',
        /^The file storage is extending and cannot be deleted in this state\. If this state does not end, /,
      ],
      ['available', /^The file storage is available, but it has snapshots or replicas/],
    ] as const) {
      it(`is 409 with the state when the service refuses: ${message.slice(15, 40)}, ${status}`, async () => {
        const api = await suite.start();
        const caller = suite.cloud.validCaller(newCaller());
        answersShare(suite.cloud);
        rulesAre();
        removalIs(forbidden(message));
        answersShare(suite.cloud, { status });

        const answer = await api.request<ErrorBody>('DELETE', SHARE_PATH, { as: caller });

        assert.deepEqual([answer.status, answer.body.code], [409, 'conflict']);
        assert.match(answer.body.detail, detail);
      });
    }
  }

  it('is 403 for a prebuilt share unless the caller is an administrator', async () => {
    const api = await suite.start();
    const member = suite.cloud.validCaller(newCaller({ roles: ['member'] }));
    const admin = suite.cloud.validCaller(newCaller({ roles: ['admin'] }));
    answersShare(suite.cloud, { metadata: prebuilt });
    const answer = await api.request<ErrorBody>('DELETE', SHARE_PATH, { as: member });
    answersShare(suite.cloud, { metadata: prebuilt });
    rulesAre();
    suite.cloud.reply('compute/servers', { body: { servers: [] } });
    removalIs();

    const byAdmin = await api.request('DELETE', SHARE_PATH, { as: admin });

    assert.deepEqual([answer.status, answer.body.code, byAdmin.status], [403, 'forbidden', 204]);
  });

  it('is 404 for a share that is not there', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());
    suite.cloud.reply('shared-file-system/share-not-found', { path: SHARE_CALL });

    assert.equal((await api.request('DELETE', SHARE_PATH, { as: caller })).status, 404);
  });
});
