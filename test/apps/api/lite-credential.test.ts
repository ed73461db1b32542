import assert from 'node:assert/strict';
import type { LiteClusterChange, LiteClusterStatus } from '@gateway/lite';
import type { ErrorBody } from '../../support/api/client.ts';
import { storeCluster } from '../../support/api/clusters.ts';
import { expiryIn, newCaller, type TestCaller } from '../../support/api/factories.ts';
import { apiSuite, type TestApi } from '../../support/api/suite.ts';

const credential = { id: 'credential-1', userId: 'u-leaver' };

function replace(api: TestApi, id: string, as: TestCaller) {
  return api.request<ErrorBody>('POST', `/api/lite/clusters/${id}/credential`, { as });
}

describe('POST /api/lite/clusters/{cluster_id}/credential', () => {
  const suite = apiSuite();

  async function started(change: LiteClusterChange = {}, caller = newCaller()) {
    const api = await suite.start({ settings: { rate_limits: { lite_scale: 0 } } });
    suite.cloud.validCaller(caller);
    const cluster = await storeCluster(api, caller, { status: 'ACTIVE', credential, ...change });
    return { api, caller, cluster };
  }

  /** Checks that nothing is queued. */
  async function assertNoJob(api: TestApi, caller: TestCaller): Promise<void> {
    const { body } = await api.get<{ items: unknown[] }>('/api/jobs', { as: caller });
    assert.deepEqual(body.items, []);
  }

  it('follows a metric, which counts the clusters with a lost credential', async () => {
    const api = await suite.start();
    await storeCluster(api, newCaller(), { status: 'ACTIVE', credential, isCredentialLost: true });
    await storeCluster(api, newCaller(), { status: 'ACTIVE', credential });

    const { text } = await api.get('/api/metrics');

    assert.match(text, /^gateway_lite_clusters_credential_lost 1$/m);
  });

  it('is 409 for a cluster without a credential', async () => {
    const { api, caller, cluster } = await started({ credential: null });

    const { status, body } = await replace(api, cluster.id, caller);

    assert.deepEqual([status, body.code], [409, 'conflict']);
    assert.match(body.detail, /none of its plugins calls the cloud/);
    await assertNoJob(api, caller);
  });

  it('is 409 for a cluster whose secrets are encrypted, with the remedy', async () => {
    const { api, caller, cluster } = await started();
    const key = `{lite}:cluster:${cluster.id}`;
    await api.context.redis.store.hset(key, 'plugins', JSON.stringify(['block_csi', 'secrets_kms']));

    const { status, body } = await replace(api, cluster.id, caller);

    assert.deepEqual([status, body.code], [409, 'conflict']);
    assert.match(body.detail, /secrets_kms reads it from a file of the control node.*restore the role/);
    await assertNoJob(api, caller);
  });

  it('is 403 for a caller with the administrator role alone', async () => {
    const { api, caller, cluster } = await started({}, newCaller({ roles: ['admin'] }));

    const { status, body } = await replace(api, cluster.id, caller);

    assert.deepEqual([status, body.code], [403, 'forbidden']);
    assert.match(body.detail, /you have no other role/);
  });

  it('is 403 for multi-factor rules that refuse the credential, which goes', async () => {
    const { api, caller, cluster } = await started();
    const path = `/v3/users/${caller.userId}/application_credentials`;
    suite.cloud
      .reply('identity/user-create', {
        path,
        body: {
          application_credential: { id: 'maker', secret: 'of-maker', expires_at: expiryIn(3_600_000) },
        },
      })
      .asksForMore('gAAAA-receipt', [])
      .reply('identity/user-remove', { path: `${path}/maker` });

    const { body, status } = await replace(api, cluster.id, caller);

    assert.deepEqual([status, body.code], [403, 'forbidden']);
    assert.match(body.detail, /administrator of the cloud to add the rule \["application_credential"\]/);
    suite.cloud.upstream.assertAllUsed();
    await assertNoJob(api, caller);
  });

  for (const status of ['CREATING', 'ERROR', 'DELETED'] satisfies LiteClusterStatus[]) {
    it(`is 400 for a cluster that is ${status}`, async () => {
      const { api, caller, cluster } = await started({ status });

      const answer = await replace(api, cluster.id, caller);

      assert.deepEqual([answer.status, answer.body.code], [400, 'cluster_not_active']);
    });
  }

  it('is 404 for a missing cluster and one of another project', async () => {
    const { api, caller, cluster } = await started();
    const other = suite.cloud.validCaller(newCaller({ projectId: 'another-project' }));

    assert.equal((await replace(api, cluster.id, other)).status, 404);
    assert.equal((await replace(api, 'unknown', caller)).status, 404);
  });
});
