import assert from 'node:assert/strict';
import { KubernetesApi } from '@gateway/lite';
import { createPod, isRunning } from '../../../support/kubernetes/objects.ts';
import { simulatedCluster } from '../../../support/kubernetes/simulated-cluster.ts';

describe('the drain of a node whose API server fails at single requests', function () {
  this.timeout(60_000);
  let cluster: Awaited<ReturnType<typeof simulatedCluster>>;
  let api: KubernetesApi;
  let node: string;

  before(async () => {
    cluster = await simulatedCluster();
    const { admin: credentials, server } = cluster;
    api = new KubernetesApi({ server, credentials, requestTimeoutMs: 10_000 });
    [, node] = cluster.nodes;
  });
  beforeEach(() => cluster.failOnce([`PATCH /api/v1/nodes/${node}`, 'GET /api/v1/pods']));
  after(async () => {
    api?.close();
    await cluster?.close();
  });

  it('fails if the node cannot be cordoned in time', async () => {
    await assert.rejects(api.drain(node, Date.now(), 'job-1'), {
      name: 'KubernetesError',
      upstreamStatus: 503,
    });

    assert.equal((await api.getNode(node))?.unschedulable, false);
  });

  it('cordons the node all the same, and evicts its pods', async () => {
    await createPod(cluster, node, 'web');

    assert.equal(await api.drain(node, Date.now() + 30_000, 'job-1'), true);

    assert.equal((await api.getNode(node))?.unschedulable, true);
    assert.equal(await isRunning(cluster, 'web'), false);
  });
});
