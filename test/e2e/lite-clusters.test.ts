import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { KubernetesApi, parseKubeconfig } from '@gateway/lite';
import type { Leftovers } from '@gateway/resources';
import { readFirstBootData } from '../../apps/cloudsim/src/guest/first-boot-data.ts';
import { CloudClient } from '../support/clients/cloud-client.ts';
import { GatewayClient, stepsOf } from '../support/clients/gateway-client.ts';
import { eventually } from '../support/eventually.ts';
import { setPodStatus, setWorkloadStatus } from '../support/kubernetes/objects.ts';
import {
  apiAccessOf,
  type ClusterHealth,
  checkHealth,
  createCluster,
  type LiteCluster,
  readCluster,
  readClusters,
} from '../support/lite/clusters.ts';
import { SimulatedStack } from '../support/stacks/simulated-stack.ts';
import { testLogin } from '../support/stacks/test-stack.ts';

const plugins = { cloud_controller_enabled: true, block_csi_enabled: true };

describe('a lite cluster', function () {
  this.timeout(120_000);
  let simulated: SimulatedStack;
  let cluster: LiteCluster;
  let name: string;

  before(async () => {
    simulated = await SimulatedStack.start({
      config: {
        lite: { plugins, server_volume_size_gb: 1, agent_volume_size_gb: 1, health: { request_seconds: 1 } },
      },
    });
    await simulated.control.set({ guest: { failedPlugins: ['block_csi'] } });
    name = `E2E_${randomUUID().slice(0, 8)}`;
  });

  after(() => simulated?.stop());

  function node(suffix: string): string {
    return `${name.toLowerCase().replaceAll('_', '-')}-${suffix}`;
  }

  async function statusAfter(change: object): Promise<ClusterHealth> {
    await simulated.control.changeKubernetes(cluster.server_vm_id ?? '', change);
    return checkHealth(simulated.gateway, cluster.id);
  }

  it("is created with its agents, with the contract's steps in its stream", async () => {
    const messages = await createCluster(simulated.gateway, { name, agent_count: 3 });

    const last = messages.at(-1);
    assert.equal(last?.step, 'completed', last?.error ?? '');
    assert.deepEqual(stepsOf(messages as never), [
      'security_group',
      'server_volume',
      'server_creating',
      'waiting_callback',
      'completed',
    ]);
    assert.deepEqual(
      messages.map(({ progress }) => progress),
      messages.map(({ progress }) => progress).toSorted((a, b) => a - b),
    );
    assert.ok(messages.every(({ cluster_id }) => cluster_id === last.cluster_id));
    cluster = await readCluster(simulated.gateway, last.cluster_id);
    assert.deepEqual(
      [cluster.status, cluster.status_reason, cluster.agent_count, cluster.agent_vm_ids.length],
      ['ACTIVE', null, 3, 3],
    );
    assert.deepEqual(cluster.plugin_status, { cloud_controller: 'deployed', block_csi: 'failed' });
    assert.equal(cluster.api_address, `https://${cluster.server_ip}:6443`);
    assert.equal(cluster.k3s_version, 'v1.36.1+k3s1');
  });

  it('is no leftover, nor is anything that it consists of', async () => {
    const admin = await GatewayClient.logIn(simulated.stack.url, testLogin('admin'));
    const { items } = await admin.read<Leftovers>('/api/admin/leftovers?refresh=true');
    assert.deepEqual(items, []);
  });

  it('gives the control node a time limit below that of its report', async () => {
    const userData = await simulated.control.userData(cluster.server_vm_id ?? '');

    const { files } = readFirstBootData(userData.toString('base64'));
    assert.match(files.get('/etc/gateway/first-boot/plan') ?? '', /^time_limit 1440$/m);
  });

  it('has a configuration file that a Kubernetes client can use', async () => {
    const answer = await simulated.gateway.request('GET', `/api/lite/clusters/${cluster.id}/kubeconfig`);

    const api = new KubernetesApi({ ...parseKubeconfig(answer.text), requestTimeoutMs: 5_000 });
    try {
      const nodes = await api.listNodes();
      assert.deepEqual(
        nodes.map(({ name: nodeName, role, ready }) => [nodeName, role, ready]),
        [
          [node('agent-1'), 'agent', true],
          [node('agent-2'), 'agent', true],
          [node('agent-3'), 'agent', true],
          [node('server'), 'server', true],
        ],
      );
    } finally {
      api.close();
    }
  });

  it('is HEALTHY in the list after its first scheduled check', async () => {
    const health = await eventually(async () => {
      const [found] = await simulated.gateway.read<ClusterHealth[]>('/api/lite/clusters/health');
      return found?.status === 'HEALTHY' ? found : undefined;
    });

    assert.deepEqual([health.api_server_reachable, health.healthz_ok, health.nodes.length], [true, true, 4]);
    assert.equal((await readCluster(simulated.gateway, cluster.id)).health_status, 'HEALTHY');
  });

  it('shows the state of its plugins in its health', async () => {
    const { plugins: found } = await checkHealth(simulated.gateway, cluster.id);

    assert.deepEqual(
      found.map(({ name: key, status }) => [key, status]),
      [
        ['cloud_controller', 'available'],
        ['block_csi', 'missing'],
      ],
    );
    const { plugin_messages: messages } = await readCluster(simulated.gateway, cluster.id);
    assert.deepEqual(Object.keys(messages ?? {}), ['block_csi']);
    assert.match(messages?.block_csi ?? '', /there is no Deployment of this name/);
  });

  it('follows its plugins in its record, with the reason of a failure', async () => {
    const access = await apiAccessOf(simulated.gateway, cluster.id);
    const controller = { kind: 'DaemonSet', metadata: { name: 'openstack-cloud-controller-manager' } };
    const message =
      'F0102 03:04:05.000002       1 main.go:30] Expected HTTP response code [200] when accessing ' +
      '[GET https://compute.example:8774/v2.1/servers], but got 401 instead: {}';
    const terminated = { exitCode: 255, reason: 'Error', message, finishedAt: new Date().toISOString() };
    const waiting = { reason: 'CrashLoopBackOff', message: 'back-off 40s restarting failed container' };
    const container = { name: 'manager', image: 'manager:v1', ready: false, restartCount: 3 };
    await setWorkloadStatus(access, controller, { numberAvailable: 0 });
    await setPodStatus(access, controller.metadata.name, {
      containerStatuses: [{ ...container, state: { waiting }, lastState: { terminated } }],
    });

    await checkHealth(simulated.gateway, cluster.id);

    const failed = await readCluster(simulated.gateway, cluster.id);
    assert.equal(failed.plugin_status?.cloud_controller, 'failed');
    assert.match(
      failed.plugin_messages?.cloud_controller ?? '',
      /the cloud refuses the program manager: GET \/v2\.1\/servers is answered 401\.$/,
    );
    const running = { startedAt: new Date().toISOString() };
    await setPodStatus(access, controller.metadata.name, {
      containerStatuses: [{ ...container, ready: true, restartCount: 0, state: { running } }],
    });
    await setWorkloadStatus(access, controller, { numberAvailable: 1 });
    await checkHealth(simulated.gateway, cluster.id);
    const { plugin_status, plugin_messages } = await readCluster(simulated.gateway, cluster.id);
    assert.equal(plugin_status?.cloud_controller, 'deployed');
    assert.deepEqual(Object.keys(plugin_messages ?? {}), ['block_csi']);
  });

  it('is DEGRADED without a ready agent, and UNHEALTHY without control node', async () => {
    const degraded = await statusAfter({ nodes: { [node('agent-2')]: { ready: false } } });
    assert.equal(degraded.status, 'DEGRADED');
    assert.deepEqual(
      degraded.nodes
        .filter(({ ready }) => !ready)
        .map((one) => [one.name, one.conditions.includes('NotReady')]),
      [[node('agent-2'), degraded.nodes.some(({ conditions }) => conditions.includes('NotReady'))]],
    );

    const unhealthy = await statusAfter({ nodes: { [node('server')]: { ready: false } } });
    assert.equal(unhealthy.status, 'UNHEALTHY');
    const nodes = { [node('agent-2')]: { ready: true }, [node('server')]: { ready: true } };
    assert.equal((await statusAfter({ nodes })).status, 'HEALTHY');
  });

  it('is UNREACHABLE while its API server refuses connections or hangs', async () => {
    for (const api of ['down', 'hanging']) {
      const { status, api_server_reachable } = await statusAfter({ api });
      assert.deepEqual([status, api_server_reachable], ['UNREACHABLE', false], api);
    }
    assert.equal((await statusAfter({ api: 'up' })).status, 'HEALTHY');
  });
});

describe('a lite cluster that cannot be created', function () {
  this.timeout(120_000);
  let simulated: SimulatedStack;

  before(async () => {
    simulated = await SimulatedStack.start({
      config: {
        lite: { plugins, server_volume_size_gb: 1, agent_volume_size_gb: 1, health: { request_seconds: 1 } },
        time_limits: { lite_callback_seconds: 3 },
      },
    });
  });

  afterEach(() => simulated.control.set({ guest: { clusterOutcome: 'succeeds' } }));

  after(() => simulated?.stop());

  /** Requests a cluster that must fail, and checks that nothing is left. Returns its record. */
  async function fails(): Promise<LiteCluster & { code: string | undefined }> {
    const messages = await createCluster(simulated.gateway, {
      name: `e2e-${randomUUID().slice(0, 8)}`,
    });
    const last = messages.at(-1);
    assert.equal(last?.step, 'failed');
    assert.equal(last.progress, -1);
    // The delegation of the job is revoked after the last event.
    await eventually(async () => {
      assert.deepEqual(await simulated.control.inventory(), simulated.baseline);
      return true;
    });
    const cluster = await readCluster(simulated.gateway, last.cluster_id);
    assert.equal(cluster.status, 'ERROR');
    assert.equal(cluster.status_reason, last.error);
    assert.deepEqual([cluster.server_vm_id, cluster.agent_count], [null, 0]);
    return { ...cluster, code: last.code };
  }

  it('because its control node fails is rolled back with the reason', async () => {
    await simulated.control.set({ guest: { clusterOutcome: 'fails' } });

    const { code, status_reason } = await fails();

    assert.equal(code, 'lite_install_failed');
    assert.match(status_reason ?? '', /the install script failed/);
  });

  it('because its control node never reports is rolled back after the limit', async () => {
    await simulated.control.set({ guest: { clusterOutcome: 'silent' } });

    assert.equal((await fails()).code, 'lite_callback_timeout');
  });

  it('because an instance has the name of a node creates nothing', async () => {
    const cloud = await CloudClient.logIn(simulated.stack.identityUrl ?? '', testLogin('demo'));
    const { image_id, flavor_id } = simulated.request;
    for (const [cluster, instance] of [
      ['e2e-named', 'e2e-named-server'],
      ['E2E_Named', 'e2e-named-agent-1'],
    ] as const) {
      const { server } = await cloud.call<{ server: { id: string } }>('compute', 'POST', '/servers', {
        server: { name: instance, imageRef: image_id, flavorRef: flavor_id, networks: 'none' },
      });
      const before = await simulated.control.inventory();

      const last = (await createCluster(simulated.gateway, { name: cluster, agent_count: 1 })).at(-1);

      assert.deepEqual([last?.step, last?.code], ['failed', 'conflict'], last?.error ?? '');
      assert.match(last?.error ?? '', new RegExp(`an instance "${instance}" \\(${server.id}\\)`));
      await eventually(async () => {
        assert.deepEqual(await simulated.control.inventory(), before);
        return true;
      });
      await cloud.call('compute', 'DELETE', `/servers/${server.id}`);
      await leavesNoRecord(last?.cluster_id ?? '');
      await eventually(async () => {
        assert.deepEqual(await simulated.control.inventory(), simulated.baseline);
        return true;
      });
    }
  });

  it('because the request names nothing that exists creates nothing', async () => {
    for (const [body, detail] of [
      [{ agent_flavor_id: 'no-such-flavor' }, /no-such-flavor was not found/],
      [{ network_id: randomUUID() }, /was not found/],
      [{ key_name: 'no-such-key' }, /no-such-key" was not found/],
    ] as const) {
      const refused = await simulated.gateway.request<{ code: string; detail: string }>(
        'POST',
        '/api/lite/clusters/async',
        { name: 'e2e-again', ...body },
      );
      assert.deepEqual([refused.status, refused.body.code], [400, 'invalid_input']);
      assert.match(refused.body.detail, detail);
    }
    // The next creation may have the same name.
    const clusters = await readClusters(simulated.gateway);
    assert.ok(clusters.every(({ name }) => name !== 'e2e-again'));
    assert.deepEqual(await simulated.control.inventory(), simulated.baseline);
  });

  async function leavesNoRecord(clusterId: string): Promise<void> {
    const { status } = await simulated.gateway.request('GET', `/api/lite/clusters/${clusterId}`);
    assert.equal(status, 404);
  }
});
