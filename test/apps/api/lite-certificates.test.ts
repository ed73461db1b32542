import assert from 'node:assert/strict';
import { newId } from '@gateway/core';
import { firstBootStages } from '@gateway/libraries';
import {
  buildKubeconfig,
  checkCluster,
  firstCertificateEnd,
  KUBECONFIG_CALLBACK_PATH,
  type Kubeconfig,
  KubernetesApi,
  type LiteCluster,
  parseKubeconfig,
} from '@gateway/lite';
import { createLogger, createMetrics } from '@gateway/platform';
import { type ApiService, createApiService } from '../../../apps/api/src/service.ts';
import { controlNode, filesOf } from '../../packages/cloud-init/plan.ts';
import { captureLogLines } from '../../support/api/log-lines.ts';
import { configOf } from '../../support/api/settings.ts';
import { TestClock } from '../../support/api/test-clock.ts';
import { ReportGate } from '../../support/doubles/report-gate.ts';
import { missingForRealCluster } from '../../support/kubernetes/api-server-tool.ts';
import {
  type RenewableApiServer,
  realRenewableServer,
  simulatedRenewableServer,
} from '../../support/kubernetes/renewable-api-server.ts';
import { RenewingControlNode } from '../../support/lite/renewing-control-node.ts';
import { freshKeyPrefix, testRedisUrl } from '../../support/redis/test-redis.ts';

const DAY_MS = 86_400_000;
const NODE = `year-${process.pid}`;
const missing = missingForRealCluster();
if (missing !== null) console.log(`NOT TESTED with a real API server: ${missing}`);

for (const [what, open, isMissing] of [
  ['a simulated API server', simulatedRenewableServer, false],
  ['a real API server', realRenewableServer, missing !== null],
] as const) {
  (isMissing ? describe.skip : describe)(`the years of a lite cluster with ${what}`, function () {
    this.timeout(300_000);
    let gate: ReportGate;
    let gateway: ApiService;
    let server: RenewableApiServer;
    let node: RenewingControlNode;
    let cluster: LiteCluster;

    before(async () => {
      gateway = createApiService({
        config: configOf({
          redisUrl: testRedisUrl(),
          keyPrefix: freshKeyPrefix('api'),
          settings: { rate_limits: { callback: 0 } },
        }),
        logger: createLogger({ level: 'debug', format: 'json', service: 'api' }, captureLogLines().stream),
        metrics: createMetrics({ processMetrics: false, firstBootStages }),
        clock: new TestClock(),
      });
      await gateway.start();
      gate = await ReportGate.start();
      reachable(true);
      server = await open(NODE);
      await create();
    });

    after(async () => {
      node?.remove();
      await server?.close();
      await gate?.stop();
      await gateway?.close();
    });

    function reachable(isReachable: boolean): void {
      const { port } = gateway.address();
      gate.passTo(() => `http://127.0.0.1:${isReachable ? port : 9}`);
    }

    /** An ACTIVE cluster, and its control node after the installation. */
    async function create(): Promise<void> {
      const { kubeconfigRenewals, liteClusters } = gateway.context;
      const id = newId();
      const asked = { name: id, keyName: null, networkId: null, agentFlavorId: 'f1', plugins: [] };
      const owner = { projectId: 'p1', userId: 'u1', creationJobId: newId(), createdAt: Date.now() };
      await liteClusters.create({ id, ...owner, ...asked });
      cluster = (await liteClusters.read(id)) as LiteCluster;
      const token = await kubeconfigRenewals.issueToken(id);
      const renewal = { url: gate.url + KUBECONFIG_CALLBACK_PATH, token };
      node = new RenewingControlNode(filesOf(controlNode({ address: server.address, renewal })), server);
      const { credentials } = parseKubeconfig(await node.startK3s(-1));
      const kubeconfig = buildKubeconfig({ server: `https://${server.address}:6443`, credentials });
      await liteClusters.putSecrets(cluster, { kubeconfig });
      await liteClusters.update(cluster, { status: 'ACTIVE' }, ['CREATING']);
    }

    async function stored(): Promise<Kubeconfig> {
      return parseKubeconfig((await gateway.context.liteClusters.readSecret(cluster, 'kubeconfig')) ?? '');
    }

    /** What a health check finds with the stored file, and in how many days the file ends. */
    async function state() {
      const kubeconfig = await stored();
      const api = new KubernetesApi({ ...kubeconfig, requestTimeoutMs: 10_000 });
      try {
        const { nodes } = await checkCluster(api);
        const days = Math.round((firstCertificateEnd(kubeconfig) - Date.now()) / DAY_MS);
        return { nodes: nodes.map(({ name }) => name), days };
      } finally {
        api.close();
      }
    }

    it('continue after all certificates have ended', async () => {
      assert.deepEqual(await state(), { nodes: [], days: -1 });

      await node.runTimer(10);

      assert.deepEqual(await state(), { nodes: [NODE], days: 10 });
    });

    it('continue with renewals before the end', async () => {
      for (const days of [20, 30, 40]) {
        await node.runTimer(days);

        assert.deepEqual(await state(), { nodes: [NODE], days });
      }
      assert.equal(node.restarts, 4);
    });

    it('continue when the gateway was unavailable during a renewal', async () => {
      reachable(false);
      await node.runTimer(300);
      assert.deepEqual(await state(), { nodes: [NODE], days: 40 });
      reachable(true);

      await node.runTimer(0);

      assert.deepEqual(await state(), { nodes: [NODE], days: 300 });
      assert.equal(node.restarts, 5);
    });

    it('continue when the control node was off', async () => {
      await server.kill();
      assert.deepEqual(await state(), { nodes: [], days: 300 });
      // k3s renews by itself when it starts.
      await node.startK3s(365);

      await node.runTimer(0);

      assert.deepEqual(await state(), { nodes: [NODE], days: 365 });
      assert.equal(node.restarts, 5);
    });

    it('end with a deletion, after which no report is accepted', async () => {
      const before = await stored();
      await gateway.context.liteClusters.update(cluster, { status: 'DELETED' }, ['ACTIVE']);
      await node.startK3s(200);

      assert.match(await node.runTimer(0), /the gateway refused the report/);
      assert.deepEqual(await stored(), before);
    });
  });
}
