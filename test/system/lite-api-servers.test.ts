import assert from 'node:assert/strict';
import { randomUUID, X509Certificate } from 'node:crypto';
import { KubernetesApi, parseKubeconfig } from '@gateway/lite';
import { eventually } from '../support/eventually.ts';
import { missingForRealCluster } from '../support/kubernetes/api-server-tool.ts';
import { type ClusterApiServer, realApiServer, simulatedApiServer } from '../support/lite/api-servers.ts';
import {
  checkHealth,
  deleteCluster,
  type LiteCluster,
  readCluster,
  repairCluster,
  scaleCluster,
} from '../support/lite/clusters.ts';
import { SimulatedStack } from '../support/stacks/simulated-stack.ts';

const missing = missingForRealCluster();
if (missing !== null) console.log(`NOT TESTED with a real API server: ${missing}`);

for (const [what, open, isMissing] of [
  ['a simulated API server', simulatedApiServer, false],
  ['a real API server', realApiServer, missing !== null],
] as const) {
  (isMissing ? describe.skip : describe)(`a lite cluster with ${what}`, function () {
    this.timeout(300_000);
    let simulated: SimulatedStack;
    let server: ClusterApiServer;
    let cluster: LiteCluster;
    const name = `e2e-${randomUUID().slice(0, 8)}`;

    before(async () => {
      simulated = await SimulatedStack.start({
        config: {
          lite: { server_volume_size_gb: 1, agent_volume_size_gb: 1, health: { request_seconds: 2 } },
          time_limits: { lite_drain_seconds: 5 },
        },
      });
      server = await open(simulated, name);
    });

    after(async () => {
      await server?.close();
      await simulated?.stop();
    });

    /** The nodes that the API server has, without the cluster's name. */
    async function nodes(): Promise<string[]> {
      const { text } = await simulated.gateway.request('GET', `/api/lite/clusters/${cluster.id}/kubeconfig`);
      const api = new KubernetesApi({ ...parseKubeconfig(text), requestTimeoutMs: 5_000 });
      try {
        return (await api.listNodes()).map((node) => node.name.slice(name.length + 1));
      } finally {
        api.close();
      }
    }

    async function scale(count: number): Promise<void> {
      const answer = await scaleCluster(simulated.gateway, cluster.id, count);
      assert.deepEqual([answer.status, answer.body.agent_count], [200, count], answer.text);
    }

    async function health(): Promise<string> {
      return (await checkHealth(simulated.gateway, cluster.id)).status;
    }

    it('is ACTIVE once its nodes are ready', async () => {
      const last = await server.create({ name, agent_count: 3 });

      assert.equal(last.step, 'completed', last.error ?? '');
      cluster = await readCluster(simulated.gateway, last.cluster_id);
      assert.equal(cluster.status, 'ACTIVE');
      assert.deepEqual(await nodes(), ['agent-1', 'agent-2', 'agent-3', 'server']);
      assert.equal(await health(), 'HEALTHY');
    });

    it('shows when the first certificate of its configuration file expires', async () => {
      const { certificate_expires_at: end } = await checkHealth(simulated.gateway, cluster.id);

      const { text } = await simulated.gateway.request('GET', `/api/lite/clusters/${cluster.id}/kubeconfig`);
      const { credentials } = parseKubeconfig(text);
      assert.ok('clientCertificate' in credentials);
      const { validTo } = new X509Certificate(credentials.clientCertificate);
      assert.equal(Date.parse(end ?? ''), Date.parse(validTo));
    });

    it('is DEGRADED without a ready agent, and UNREACHABLE without API server', async () => {
      await server.setReady(`${name}-agent-2`, false);
      assert.equal(await health(), 'DEGRADED');
      await server.setReady(`${name}-agent-2`, true);
      assert.equal(await health(), 'HEALTHY');
      await server.kill();
      assert.equal(await health(), 'UNREACHABLE');
      await server.resume();
      await eventually(async () => (await health()) === 'HEALTHY');
    });

    it('replaces a dead agent, and refuses to replace one that is ready', async () => {
      const repair = () => repairCluster(simulated.gateway, cluster.id, { node: `${name}-agent-2` });
      const refused = await repair();
      assert.deepEqual([refused.status, refused.body.code], [409, 'node_not_dead'], refused.text);
      await server.setReady(`${name}-agent-2`, false);
      assert.equal(await health(), 'DEGRADED');

      const answer = await repair();

      assert.deepEqual([answer.status, answer.body.agent_count], [200, 3], answer.text);
      assert.deepEqual(await nodes(), ['agent-1', 'agent-3', 'agent-4', 'server']);
      assert.equal(await health(), 'HEALTHY');
    });

    it('gets more agents, which are ready when the request is answered', async () => {
      await scale(5);

      assert.deepEqual(await nodes(), ['agent-1', 'agent-2', 'agent-3', 'agent-4', 'agent-5', 'server']);
      assert.equal(await health(), 'HEALTHY');
    });

    it('loses agents with their node objects, those with the highest numbers first', async () => {
      await scale(1);
      assert.deepEqual(await nodes(), ['agent-1', 'server']);
      await scale(0);
      assert.deepEqual(await nodes(), ['server']);
      assert.equal(await health(), 'HEALTHY');
    });

    it('is deleted with all that it had', async () => {
      const answer = await deleteCluster(simulated.gateway, cluster.id);

      assert.equal(answer.status, 204, answer.text);
      await eventually(async () => {
        assert.deepEqual(await simulated.control.inventory(), simulated.baseline);
        return true;
      });
      assert.equal((await readCluster(simulated.gateway, cluster.id)).status, 'DELETED');
      const listed = await simulated.gateway.read<LiteCluster[]>('/api/lite/clusters');
      assert.deepEqual(listed, []);
    });
  });
}
