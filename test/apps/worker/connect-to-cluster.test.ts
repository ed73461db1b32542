import assert from 'node:assert/strict';
import { KubernetesError, type LiteCluster, type LiteClusterStore } from '@gateway/lite';
import { connectToCluster } from '../../../apps/worker/src/lite-cluster-checks/connect-to-cluster.ts';
import { configOf, type Settings } from '../../support/api/settings.ts';
import { newKubeconfig } from '../../support/kubernetes/kubeconfig.ts';

describe('the connection to the API server of a cluster', function () {
  /** Loading the library takes a second. */
  this.timeout(120_000);

  /** The reason for which the cluster, with its API server at this host, is unhealthy. */
  async function reasonOf(host: string, settings: Settings = {}): Promise<string> {
    const text = await newKubeconfig(`https://${host}:1`);
    const liteClusters = { readSecret: async () => text } as unknown as LiteClusterStore;
    const config = configOf({ redisUrl: 'redis://127.0.0.1:1', keyPrefix: 'x:', settings });
    const cluster = { id: 'c1', projectId: 'p1', serverIp: host } as LiteCluster;
    const api = await connectToCluster({ liteClusters, config }, cluster);
    assert.ok(api);
    const failure: unknown = await api.healthz().then(
      () => assert.fail('The call succeeded.'),
      (error: unknown) => error,
    );
    api.close();
    assert.ok(failure instanceof KubernetesError, String(failure));
    return failure.reason;
  }

  for (const [where, host] of [
    ['the machine itself', '127.0.0.1'],
    ['the machine itself in IPv6', '[::1]'],
    ['the metadata service', '169.254.169.254'],
    ['the metadata service in IPv6', '[fe80::a9fe:a9fe]'],
  ] as const) {
    it(`is refused by default for ${where}`, async () => {
      assert.match(await reasonOf(host), /never contacted/);
    });
  }

  it('is made to networks that the configuration does not exclude', async () => {
    const settings = { lite: { never_contacted: ['169.254.0.0/16'] } };

    assert.doesNotMatch(await reasonOf('127.0.0.1', settings), /never contacted/);
  });
});
