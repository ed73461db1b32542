import assert from 'node:assert/strict';
import { newId } from '@gateway/core';
import type { LiteCluster } from '@gateway/lite';
import type { ErrorBody } from '../../support/api/client.ts';
import { newCaller, type TestCaller } from '../../support/api/factories.ts';
import { apiSuite, type TestApi } from '../../support/api/suite.ts';
import {
  type ClusterAuthorities,
  kubeconfigOf,
  newAuthorities,
} from '../../support/kubernetes/kubeconfig.ts';
import { nextToken } from '../../support/next-token.ts';

const callback = '/api/lite/callback/kubeconfig';
const DAY_MS = 86_400_000;

describe('POST /api/lite/callback/kubeconfig', () => {
  const suite = apiSuite();
  let authorities: ClusterAuthorities;
  let caller: TestCaller;

  before(async () => {
    authorities = await newAuthorities();
  });
  beforeEach(() => {
    caller = newCaller();
  });

  /** An ACTIVE cluster whose certificate ends within a day, and the token of its control node. */
  async function activeCluster({ context }: TestApi): Promise<{ cluster: LiteCluster; token: string }> {
    const { projectId, userId } = caller;
    const id = newId();
    const asked = { name: `c-${id}`, keyName: null, networkId: null, agentFlavorId: 'f1', plugins: [] };
    const owner = { id, projectId, userId, creationJobId: newId(), createdAt: Date.now() };
    await context.liteClusters.create({ ...owner, ...asked });
    const cluster = (await context.liteClusters.read(id)) as LiteCluster;
    const token = await context.kubeconfigRenewals.issueToken(id);
    await context.liteClusters.putSecrets(cluster, { kubeconfig: await fileFor(1) });
    await context.liteClusters.update(cluster, { status: 'ACTIVE' }, ['CREATING']);
    return { cluster, token };
  }

  const fileFor = (days: number) => kubeconfigOf(authorities, { endsInMs: days * DAY_MS });
  const certificateIn = (file: string) => /client-certificate-data: (\S+)/.exec(file)?.[1];

  async function downloaded(api: TestApi, { id }: LiteCluster): Promise<string> {
    return (await api.get(`/api/lite/clusters/${id}/kubeconfig`, { as: caller })).text;
  }

  it('replaces the file that members download, in all processes', async () => {
    const api = await suite.start();
    const other = await suite.start({ keyPrefix: api.keyPrefix });
    suite.cloud.acceptsToken(caller).acceptsToken(caller, { optional: true });
    const { cluster, token } = await activeCluster(api);
    const before = await downloaded(other, cluster);
    const kubeconfig = await fileFor(365);

    const { body, status } = await api.post(callback, { body: { token, kubeconfig } });

    assert.deepEqual([status, body], [200, { status: 'ok' }]);
    for (const one of [api, other]) {
      const file = await downloaded(one, cluster);
      assert.equal(certificateIn(file), certificateIn(kubeconfig));
      assert.notEqual(file, before);
    }
    assert.match(api.log.text(), /The configuration file of a cluster is renewed/);
  });

  it('is 200 for the same report again, and 403 for another one', async () => {
    const api = await suite.start();
    const { token } = await activeCluster(api);
    const [kubeconfig, later] = [await fileFor(300), await fileFor(365)];
    const post = async (body: object) => (await api.post(callback, { body })).status;

    assert.deepEqual(
      [
        await post({ token, kubeconfig }),
        await post({ token, kubeconfig }),
        await post({ token, kubeconfig: later }),
        await post({ token: nextToken(token), kubeconfig: later }),
        await post({ token, kubeconfig }),
      ],
      [200, 200, 403, 200, 403],
    );
  });

  it('is 403 for unknown and foreign tokens, and for deleted clusters', async () => {
    const api = await suite.start({ settings: { rate_limits: { callback: 0 } } });
    const { cluster, token } = await activeCluster(api);
    const kubeconfig = await fileFor(365);
    const post = async (used: string) =>
      (await api.post<ErrorBody>(callback, { body: { token: used, kubeconfig } })).status;
    const ofCreation = await api.context.callbacks.issueToken(newId(), 60);

    assert.deepEqual(await Array.fromAsync(['unknown', `${newId()}.x`, ofCreation], post), [403, 403, 403]);
    await api.context.liteClusters.update(cluster, { status: 'DELETED' }, ['ACTIVE']);
    assert.equal(await post(token), 403);
  });

  it('is 400 for an unusable file, which keeps the token valid', async () => {
    const api = await suite.start();
    const { token } = await activeCluster(api);
    const post = (kubeconfig: string) => api.post<ErrorBody>(callback, { body: { token, kubeconfig } });

    const { body, status } = await post('apiVersion: v1\nkind: Config\n');

    assert.deepEqual([status, body.errors?.[0]?.field], [400, 'body.kubeconfig']);
    assert.equal((await post(await fileFor(365))).status, 200);
  });

  it('is 409 for a file of another authority, which is logged', async () => {
    const api = await suite.start();
    suite.cloud.validCaller(caller);
    const { cluster, token } = await activeCluster(api);
    const before = await downloaded(api, cluster);
    const foreign = await kubeconfigOf(await newAuthorities());

    const { body, status } = await api.post<ErrorBody>(callback, { body: { token, kubeconfig: foreign } });

    assert.deepEqual([status, body.code], [409, 'conflict']);
    assert.equal(await downloaded(api, cluster), before);
    assert.match(api.log.text(), /is not accepted.*names another certificate authority/);
  });

  it('limits reports of each cluster, and unknown tokens by address', async () => {
    const api = await suite.start({ settings: { rate_limits: { callback: 1 } } });
    const { token } = await activeCluster(api);
    const kubeconfig = await fileFor(365);
    const post = async (used: string) =>
      (await api.post(callback, { body: { token: used, kubeconfig } })).status;

    assert.deepEqual(await Array.fromAsync(['unknown', 'unknown'], post), [403, 429]);
    assert.deepEqual(await Array.fromAsync([token, token], post), [200, 429]);
  });
});
