import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { KubernetesApi, type NodeFacts, parseKubeconfig } from '@gateway/lite';
import { parse } from 'yaml';
import { CloudClient } from '../support/clients/cloud-client.ts';
import { eventually } from '../support/eventually.ts';
import { type ApiAccess, readSecret, send } from '../support/kubernetes/objects.ts';
import {
  apiAccessOf,
  createCluster,
  deleteCluster,
  type LiteCluster,
  readCluster,
  scaleCluster,
  upgradeCluster,
} from '../support/lite/clusters.ts';
import { SimulatedStack } from '../support/stacks/simulated-stack.ts';
import { testLogin } from '../support/stacks/test-stack.ts';

const OLD = 'v1.35.4+k3s1';
const PATCH = 'v1.35.6+k3s1';
const NEW = 'v1.36.1+k3s1';
const PASSWORD = 'the-password-of-the-mirror';
const PODS = '/api/v1/namespaces/default/pods';
const BUDGETS = '/apis/policy/v1/namespaces/default/poddisruptionbudgets';
/** Before scaling by 0.05. */
const SLOW_MS = 60_000;
const ENDED_MS = 60_000;

describe('the upgrade of a lite cluster', function () {
  this.timeout(180_000);
  let simulated: SimulatedStack;
  let id: string;
  let name: string;
  let access: ApiAccess;

  before(async () => {
    simulated = await SimulatedStack.start({
      env: { GATEWAY_REGISTRY_PASSWORD: PASSWORD },
      config: {
        jobs: { lock_seconds: 3 },
        lite: {
          server_volume_size_gb: 1,
          agent_volume_size_gb: 1,
          health: { request_seconds: 1 },
          k3s: {
            version: OLD,
            upgrade_versions: [NEW, PATCH],
            registries: [{ name: 'docker.io', endpoint: 'https://mirror.example.org' }],
            registry_credentials: [
              {
                host: 'mirror.example.org',
                username: 'nodes',
                password_variable: 'GATEWAY_REGISTRY_PASSWORD',
              },
            ],
          },
          plugins: { cloud_controller_enabled: true, block_csi_enabled: true, secrets_kms_enabled: true },
        },
        time_limits: {
          lite_upgrade_drain_seconds: 3,
          lite_upgrade_node_seconds: 60,
          undo_seconds: 10,
        },
      },
    });
  });

  beforeEach(async () => {
    name = `e2e-${randomUUID().slice(0, 8)}`;
    const last = (await createCluster(simulated.gateway, { name, agent_count: 2 })).at(-1);
    assert.equal(last?.step, 'completed', last?.error ?? '');
    id = last.cluster_id;
    access = await apiAccessOf(simulated.gateway, id);
  });

  afterEach(async () => {
    await simulated.control.clear();
    await simulated.control.set({ guest: { workMs: 1500, failedUpgrades: [] } });
    await deleteCluster(simulated.gateway, id);
  });

  after(() => simulated?.stop());

  /** The nodes without the name of the cluster. */
  async function nodes(): Promise<NodeFacts[]> {
    const { text } = await simulated.gateway.request('GET', `/api/lite/clusters/${id}/kubeconfig`);
    const api = new KubernetesApi({ ...parseKubeconfig(text), requestTimeoutMs: 5_000 });
    try {
      return (await api.listNodes()).map((node) => ({ ...node, name: node.name.slice(name.length + 1) }));
    } finally {
      api.close();
    }
  }

  async function releases(): Promise<Record<string, string>> {
    return Object.fromEntries((await nodes()).map((node) => [node.name, node.kubeletVersion]));
  }

  async function cordoned(): Promise<string[]> {
    return (await nodes()).filter(({ unschedulable }) => unschedulable).map((node) => node.name);
  }

  async function start(version: string): Promise<LiteCluster> {
    const answer = await upgradeCluster(simulated.gateway, id, version);
    assert.equal(answer.status, 202, answer.text);
    assert.deepEqual([answer.body.upgrade?.version, answer.body.upgrade?.status], [version, 'UPGRADING']);
    return answer.body;
  }

  /** Waits until no upgrade is in progress. */
  function ended(): Promise<LiteCluster> {
    return eventually(async () => {
      const cluster = await readCluster(simulated.gateway, id);
      return cluster.upgrade?.status === 'UPGRADING' ? undefined : cluster;
    }, ENDED_MS);
  }

  function reached(message: RegExp): Promise<LiteCluster> {
    return eventually(async () => {
      const cluster = await readCluster(simulated.gateway, id);
      return message.test(cluster.upgrade?.message ?? '') ? cluster : undefined;
    }, ENDED_MS);
  }

  /** A pod on the agent that a budget protects from eviction. */
  async function protectedPod(): Promise<void> {
    const labels = { app: 'kept' };
    await send(access, 'POST', BUDGETS, {
      metadata: { name: 'keep' },
      spec: { minAvailable: 1, selector: { matchLabels: labels } },
    });
    await send(access, 'POST', PODS, {
      metadata: { name: 'web', labels },
      spec: { nodeName: `${name}-agent-1`, containers: [{ name: 'main', image: 'a' }] },
    });
  }

  async function requests(): Promise<string[]> {
    const { server_vm_id } = await readCluster(simulated.gateway, id);
    return simulated.control.kubernetesRequests(server_vm_id ?? '');
  }

  async function image(daemonSet: string): Promise<string | undefined> {
    const path = `/apis/apps/v1/namespaces/kube-system/daemonsets/${daemonSet}`;
    const { body } = await send(access, 'GET', path);
    const { spec } = body as { spec?: { template: { spec: { containers: { image: string }[] } } } };
    return spec?.template.spec.containers[0]?.image;
  }

  it('replaces the release of all nodes, one by one, and plugins', async () => {
    assert.match((await image('openstack-cloud-controller-manager')) ?? '', /:v1\.35\./);
    assert.deepEqual(await simulated.gateway.read(`/api/lite/clusters/${id}/upgrades`), {
      current_version: OLD,
      versions: [PATCH, NEW],
    });

    await start(NEW);

    const cluster = await ended();
    assert.deepEqual([cluster.k3s_version, cluster.upgrade, cluster.status_reason], [NEW, null, null]);
    assert.deepEqual(await releases(), { 'agent-1': NEW, 'agent-2': NEW, server: NEW });
    assert.deepEqual(await cordoned(), []);
    assert.match((await image('openstack-cloud-controller-manager')) ?? '', /:v1\.36\./);
    assert.deepEqual(Object.values(cluster.plugin_status ?? {}), ['deployed', 'deployed', 'deployed']);
    const changes = (await requests()).filter((one) =>
      /^(POST|PATCH|DELETE) .*(nodes|pods)\//.test(`${one}/`),
    );
    const order = changes.map((one) =>
      one.replaceAll(`${name}-`, '').replace(/\/api\/v1\/(namespaces\/kube-system\/)?/, ''),
    );
    assert.deepEqual(order, [
      'POST pods',
      'DELETE pods/gateway-upgrade-server',
      ...['agent-1', 'agent-2'].flatMap((node) => [
        `PATCH nodes/${node}`,
        'POST pods',
        `PATCH nodes/${node}`,
        `DELETE pods/gateway-upgrade-${node}`,
      ]),
    ]);
    const list = await simulated.gateway.read<{ versions: string[] }>(`/api/lite/clusters/${id}/upgrades`);
    assert.deepEqual(list.versions, []);
    const scaled = await scaleCluster(simulated.gateway, id, 3);
    assert.equal(scaled.status, 200, scaled.text);
    assert.equal((await releases())['agent-3'], NEW);
  });

  it('keeps the network of floating IPs while no router leads there', async () => {
    const network = async () =>
      /floating-network-id = .*/.exec((await readSecret(access, 'cloud-config'))['cloud.conf'] ?? '')?.[0];
    const before = await network();
    assert.ok(before);
    const cloud = await CloudClient.logIn(simulated.stack.identityUrl ?? '', testLogin('demo'));
    const { routers } = await cloud.call<{ routers: { id: string; external_gateway_info: object }[] }>(
      'network',
      'GET',
      '/v2.0/routers',
    );
    const set = (id: string, external_gateway_info: object) =>
      cloud.call('network', 'PUT', `/v2.0/routers/${id}`, { router: { external_gateway_info } });
    for (const { id } of routers) await set(id, {});

    await start(PATCH);

    const { k3s_version } = await ended();
    for (const router of routers) await set(router.id, router.external_gateway_info);
    assert.deepEqual([k3s_version, await network()], [PATCH, before]);
  });

  it('keeps services internal, though a router leads outside by now', async () => {
    const path = '/api/v1/namespaces/kube-system/secrets/cloud-config';
    const { 'cloud.conf': before = '' } = await readSecret(access, 'cloud-config');
    const write = async (text: string) => {
      const data = { 'cloud.conf': Buffer.from(text).toString('base64') };
      const { status } = await send(access, 'PATCH', path, { data }, 'application/merge-patch+json');
      assert.equal(status, 200);
    };
    const internal = before
      .replace(/floating-network-id = .*\n/, '')
      .replace('internal-lb = false', 'internal-lb = true');
    assert.match(internal, /internal-lb = true/);
    await write(internal);

    await start(PATCH);

    const { k3s_version } = await ended();
    const { 'cloud.conf': after = '' } = await readSecret(access, 'cloud-config');
    await write(before);
    assert.equal(k3s_version, PATCH);
    assert.match(after, /internal-lb = true/);
    assert.doesNotMatch(after, /floating-network-id/);
  });

  it('leaves the storage class as it was made with other settings', async () => {
    const path = '/apis/storage.k8s.io/v1/storageclasses';
    const parameters = { type: 'the-type-of-another-time' };
    await send(access, 'DELETE', `${path}/block-storage`);
    await send(access, 'POST', path, { metadata: { name: 'block-storage' }, parameters });

    await start(PATCH);

    const cluster = await ended();
    assert.deepEqual([cluster.k3s_version, cluster.status_reason], [PATCH, null]);
    const { body } = await send(access, 'GET', `${path}/block-storage`);
    assert.deepEqual((body as { parameters?: object }).parameters, parameters);
  });

  it('brings changed registries to nodes that have the release', async () => {
    await simulated.control.set({ guest: { workMs: SLOW_MS } });

    await start(OLD);

    const pod = `gateway-upgrade-${name}-server`;
    const shown = await eventually(async () => {
      const { status, body } = await send(access, 'GET', `/api/v1/namespaces/kube-system/pods/${pod}`);
      return status === 200 ? JSON.stringify(body) : undefined;
    });
    assert.ok(!shown.includes(PASSWORD));
    assert.ok(shown.includes(`"secretKeyRef":{"name":"${pod}","key":"value"}`), shown);
    const { value = '' } = await readSecret(access, pod);
    assert.deepEqual(parse(value), {
      mirrors: { 'docker.io': { endpoint: ['https://mirror.example.org'] } },
      configs: { 'mirror.example.org': { auth: { username: 'nodes', password: PASSWORD } } },
    });
    await simulated.control.set({ guest: { workMs: 0 } });
    const cluster = await ended();
    assert.deepEqual([cluster.k3s_version, cluster.upgrade, cluster.status_reason], [OLD, null, null]);
    const sent = await requests();
    for (const node of ['server', 'agent-1', 'agent-2']) {
      const secret = `/api/v1/namespaces/kube-system/secrets/gateway-upgrade-${name}-${node}`;
      assert.ok(sent.includes(`PATCH ${secret}`), node);
      assert.equal((await send(access, 'GET', secret)).status, 404, node);
    }
    assert.ok(!sent.some((one) => one.startsWith('PATCH /api/v1/nodes/')), 'no node is drained');
  });

  it('refuses other operations meanwhile, and shows its progress', async () => {
    await simulated.control.set({ guest: { workMs: SLOW_MS } });

    const { upgrade, status } = await start(PATCH);

    assert.equal(status, 'ACTIVE');
    await reached(/-server is being upgraded/);
    for (const answer of [
      await upgradeCluster(simulated.gateway, id, NEW),
      await scaleCluster(simulated.gateway, id, 1),
    ]) {
      assert.deepEqual([answer.status, answer.body.job_id], [409, upgrade?.job_id], answer.text);
    }
    const listed = await simulated.gateway.read<LiteCluster[]>('/api/lite/clusters');
    assert.equal(listed.find((one) => one.id === id)?.upgrade?.job_id, upgrade?.job_id);
    await simulated.control.set({ guest: { workMs: 0 } });
    assert.equal((await ended()).k3s_version, PATCH);
  });

  it('stops at a pod that cannot leave, and can be repeated', async () => {
    await protectedPod();
    await start(NEW);

    const stopped = await ended();

    assert.match(
      stopped.status_reason ?? '',
      /agent-1 could not be drained in time: a disruption budget protects the pod default\/web\.$/,
    );
    assert.deepEqual(
      [stopped.status, stopped.k3s_version, stopped.upgrade?.status],
      ['ACTIVE', OLD, 'FAILED'],
    );
    assert.deepEqual(await releases(), { 'agent-1': OLD, 'agent-2': OLD, server: NEW });
    assert.deepEqual(await cordoned(), []);
    const backwards = await upgradeCluster(simulated.gateway, id, PATCH);
    assert.deepEqual([backwards.status, backwards.body.code], [400, 'invalid_input'], backwards.text);
    await send(access, 'DELETE', `${BUDGETS}/keep`);

    await start(NEW);

    assert.equal((await ended()).k3s_version, NEW);
    assert.deepEqual(await releases(), { 'agent-1': NEW, 'agent-2': NEW, server: NEW });
  });

  it('leaves a node cordoned that somebody else has cordoned', async () => {
    const api = `/api/v1/nodes/${name}-agent-2`;
    await send(access, 'PATCH', api, { spec: { unschedulable: true } }, 'application/merge-patch+json');

    await start(NEW);

    assert.equal((await ended()).k3s_version, NEW);
    assert.deepEqual(await cordoned(), ['agent-2']);
  });

  for (const [node, after] of [
    ['server', { 'agent-1': OLD, 'agent-2': OLD, server: OLD }],
    ['agent-2', { 'agent-1': NEW, 'agent-2': OLD, server: NEW }],
  ] as const) {
    it(`stops if ${node} cannot run the release, and says why`, async () => {
      await simulated.control.set({ guest: { failedUpgrades: [`${name}-${node}`] } });
      await start(NEW);

      const stopped = await ended();

      const reason = `The node ${name}-${node} could not be upgraded: k3s v9 did not become ready in time`;
      assert.ok(stopped.status_reason?.startsWith(reason), stopped.status_reason ?? '');
      assert.deepEqual([await releases(), await cordoned()], [after, []]);
      await simulated.control.set({ guest: { failedUpgrades: [] } });
      await start(NEW);
      assert.equal((await ended()).k3s_version, NEW);
    });
  }

  it('waits for an unavailable API server, and uncordons after a cancellation', async () => {
    await simulated.control.set({ guest: { workMs: SLOW_MS } });
    const { upgrade, server_vm_id } = await start(NEW);
    await eventually(async () => (await requests()).includes('POST /api/v1/namespaces/kube-system/pods'));
    await simulated.control.changeKubernetes(server_vm_id ?? '', { api: 'down' });
    await reached(/-server is being upgraded/);
    await simulated.control.changeKubernetes(server_vm_id ?? '', { api: 'up' });
    await reached(/-agent-1 is being upgraded/);
    assert.deepEqual(await cordoned(), ['agent-1']);

    await simulated.gateway.request('POST', `/api/jobs/${upgrade?.job_id}/cancel`);

    assert.equal((await ended()).upgrade?.status, 'FAILED');
    assert.deepEqual(await cordoned(), []);
    await simulated.control.set({ guest: { workMs: 0 } });
    await start(NEW);
    assert.equal((await ended()).k3s_version, NEW);
  });

  it('continues after the death of its worker at each node', async () => {
    await simulated.control.set({ guest: { workMs: SLOW_MS / 2 } });
    const [worker] = simulated.stack.workers;
    await start(NEW);

    for (const node of ['server', 'agent-1', 'agent-2']) {
      await reached(new RegExp(`-${node} is being`));
      await worker?.kill('SIGKILL');
      await worker?.restart();
    }

    const cluster = await ended();
    assert.deepEqual([cluster.k3s_version, cluster.status_reason], [NEW, null]);
    assert.deepEqual(await cordoned(), []);
    const pods = (await requests()).filter((one) => one === 'POST /api/v1/namespaces/kube-system/pods');
    assert.equal(pods.length, 3);
  });

  it('ends with the deletion of the cluster', async () => {
    await simulated.control.set({ guest: { workMs: SLOW_MS } });
    const { upgrade } = await start(NEW);
    await reached(/-server is being upgraded/);

    await deleteCluster(simulated.gateway, id);

    await eventually(async () => {
      const job = await simulated.gateway.read<{ status: string }>(`/api/jobs/${upgrade?.job_id}`);
      return job.status === 'cancelled';
    });
    assert.equal((await readCluster(simulated.gateway, id)).upgrade, null);
  });
});
