import assert from 'node:assert/strict';
import { KubernetesApi, UPGRADE_NAMESPACE, upgradePod, upgradePodName, upgradeSecret } from '@gateway/lite';
import { cleanUp } from '../../../apps/worker/src/sagas/upgrade-lite-cluster/advance-node.ts';
import { simulatedCluster } from '../../support/kubernetes/simulated-cluster.ts';

describe('the late rollback of an upgrade', function () {
  this.timeout(60_000);

  it('leaves the node, the pod and the secret of a later one', async () => {
    const cluster = await simulatedCluster();
    const { admin: credentials, server } = cluster;
    const api = new KubernetesApi({ server, credentials, requestTimeoutMs: 10_000 });
    const [, node] = cluster.nodes;
    const name = upgradePodName(node);
    const left = async () => [
      (await api.getNode(node))?.cordonedBy,
      (await api.getPod(UPGRADE_NAMESPACE, name)) !== null,
      (await api.readSecret(UPGRADE_NAMESPACE, name)) !== null,
    ];
    try {
      await api.cordonFor(node, 'job-1');
      await api.cordonFor(node, 'job-2');
      await api.apply(upgradeSecret(node, 'mirrors'));
      await api.createPod(upgradePod(node, 'job-2', ['true'], null));

      await cleanUp(api, node, 'job-1');

      assert.deepEqual(await left(), ['job-2', true, true]);
      await cleanUp(api, node, 'job-2');
      assert.deepEqual(await left(), [null, false, false]);
    } finally {
      api.close();
      await cluster.close();
    }
  });
});
