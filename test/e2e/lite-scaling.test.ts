import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { KubernetesApi, parseKubeconfig } from '@gateway/lite';
import { CloudClient } from '../support/clients/cloud-client.ts';
import { GatewayClient, messagesOf } from '../support/clients/gateway-client.ts';
import { eventually } from '../support/eventually.ts';
import { createCluster, deleteCluster, readCluster, scaleCluster } from '../support/lite/clusters.ts';
import { SimulatedStack } from '../support/stacks/simulated-stack.ts';
import { testLogin } from '../support/stacks/test-stack.ts';
import { followed } from '../support/subjects/followed.ts';

/** Longer than any scaling of the tests. */
const SCALE_SECONDS = 30;
const HOLD_MS = 10_000;

describe('the scaling of a lite cluster', function () {
  this.timeout(120_000);
  let simulated: SimulatedStack;
  let id: string;
  let name: string;
  let vmId: string;

  before(async () => {
    simulated = await SimulatedStack.start({
      config: {
        lite: { server_volume_size_gb: 1, agent_volume_size_gb: 1, health: { request_seconds: 1 } },
        time_limits: {
          lite_drain_seconds: 2,
          lite_scale_seconds: SCALE_SECONDS,
          step_retry_seconds: 1,
          undo_seconds: 5,
        },
      },
    });
    name = `e2e-${randomUUID().slice(0, 8)}`;
    const last = (await createCluster(simulated.gateway, { name, agent_count: 1 })).at(-1);
    assert.equal(last?.step, 'completed', last?.error ?? '');
    id = last.cluster_id;
    vmId = (await readCluster(simulated.gateway, id)).server_vm_id ?? '';
  });

  afterEach(() => simulated.control.clear());

  after(() => simulated?.stop());

  /** The nodes that the API server knows, without the cluster's name; those that take no pods in brackets. */
  async function nodes(): Promise<string[]> {
    const { text } = await simulated.gateway.request('GET', `/api/lite/clusters/${id}/kubeconfig`);
    const api = new KubernetesApi({ ...parseKubeconfig(text), requestTimeoutMs: 5_000 });
    try {
      return (await api.listNodes()).map((node) => {
        const short = node.name.slice(name.length + 1);
        return node.unschedulable ? `(${short})` : short;
      });
    } finally {
      api.close();
    }
  }

  /** The server names of the agents in the record, without the cluster's name. */
  async function agents(): Promise<string[]> {
    const { agent_vm_ids, agent_count } = await readCluster(simulated.gateway, id);
    assert.equal(agent_vm_ids.length, agent_count);
    const instances = await simulated.gateway.read<{ id: string; name: string }[]>(
      '/api/instances?refresh=true',
    );
    const nameOf = (vm: string) => instances.find((one) => one.id === vm)?.name ?? 'missing';
    return agent_vm_ids.map((vm) => nameOf(vm).slice(name.length + 1));
  }

  /** The nodes in the result of the last check, without the cluster's name. */
  async function checkedNodes(): Promise<string[]> {
    const health = await simulated.gateway.read<{ nodes: { name: string }[] }>(
      `/api/lite/clusters/${id}/health`,
    );
    return health.nodes.map((node) => node.name.slice(name.length + 1)).sort();
  }

  async function scale(agentCount: number): Promise<void> {
    const answer = await scaleCluster(simulated.gateway, id, agentCount);
    assert.deepEqual([answer.status, answer.body.agent_count], [200, agentCount], answer.text);
  }

  it('adds agents with the next numbers, whose nodes are then ready', async () => {
    await scale(3);

    assert.deepEqual(await agents(), ['agent-1', 'agent-2', 'agent-3']);
    assert.deepEqual(await nodes(), ['agent-1', 'agent-2', 'agent-3', 'server']);
    assert.deepEqual(await checkedNodes(), await nodes());
  });

  it('does nothing for the number that the cluster has', async () => {
    const before = await simulated.control.inventory();
    await simulated.control.clearCalls();

    await scale(3);

    assert.deepEqual(await simulated.control.inventory(), before);
    assert.deepEqual(
      (await simulated.control.calls()).filter(({ method }) => method !== 'GET'),
      [],
    );
  });

  it('is followed from its beginning to its end', async () => {
    const steps = async (agent_count: number) => {
      const events = await followed(simulated.gateway, 'POST /api/lite/clusters/{cluster_id}/scale/async', {
        path: { cluster_id: id },
        body: { agent_count },
      });
      return events.map(({ step }) => step);
    };

    assert.deepEqual([(await steps(4)).at(0), (await steps(3)).at(-1)], ['checking', 'completed']);
    assert.deepEqual(await nodes(), ['agent-1', 'agent-2', 'agent-3', 'server']);
    assert.deepEqual((await steps(3)).at(-1), 'completed');
  });

  it('removes the agents with the highest numbers: their nodes, servers and volumes', async () => {
    const before = await simulated.control.inventory();
    const node = `/api/v1/nodes/${name}-agent-3`;
    await simulated.control.changeKubernetes(vmId, { failures: [`DELETE ${node}`] });

    await scale(1);

    assert.deepEqual(await agents(), ['agent-1']);
    assert.deepEqual(await nodes(), ['agent-1', 'server']);
    assert.deepEqual(await checkedNodes(), await nodes());
    const after = await simulated.control.inventory();
    for (const kind of ['servers', 'volumes'])
      assert.equal(after.get(kind)?.size, (before.get(kind)?.size ?? 0) - 2, kind);
  });

  it('uses a number again whose node object was removed', async () => {
    await scale(2);

    assert.deepEqual(await agents(), ['agent-1', 'agent-2']);
  });

  it('continues without the API server, with numbers that are surely free', async () => {
    await simulated.control.changeKubernetes(vmId, { api: 'down' });
    await scale(1);
    await scale(2);

    assert.deepEqual(await agents(), ['agent-1', 'agent-3']);
    await simulated.control.changeKubernetes(vmId, { api: 'up' });
    await eventually(async () => (await nodes()).includes('agent-3'));
    assert.deepEqual(await nodes(), ['agent-1', 'agent-2', 'agent-3', 'server']);
    await scale(3);
    assert.deepEqual(await agents(), ['agent-1', 'agent-2', 'agent-3']);
  });

  it('removes agents to none, and starts again with the first number', async () => {
    await scale(0);

    assert.deepEqual([await agents(), await nodes()], [[], ['server']]);
    await scale(1);
    assert.deepEqual([await agents(), await nodes()], [['agent-1'], ['agent-1', 'server']]);
  });

  it('is 409 before any creation if a node name is taken', async () => {
    const cloud = await CloudClient.logIn(simulated.stack.identityUrl ?? '', testLogin('demo'));
    const { image_id, flavor_id } = simulated.request;
    const { server } = await cloud.call<{ server: { id: string } }>('compute', 'POST', '/servers', {
      server: { name: `${name}-agent-2`, imageRef: image_id, flavorRef: flavor_id, networks: 'none' },
    });
    const before = await simulated.control.inventory();

    const answer = await scaleCluster(simulated.gateway, id, 2);

    assert.deepEqual([answer.status, answer.body.code], [409, 'conflict'], answer.text);
    assert.match(answer.text, new RegExp(`an instance .*${server.id}`));
    assert.deepEqual(await simulated.control.inventory(), before);
    await cloud.call('compute', 'DELETE', `/servers/${server.id}`);
    await eventually(async () => !(await simulated.control.inventory()).get('servers')?.has(server.id));
    await scale(2);
    await scale(1);
  });

  it('is 404 for a cluster of another project', async () => {
    const alice = await GatewayClient.logIn(simulated.stack.url, testLogin('alice'));

    assert.equal((await scaleCluster(alice, id, 2)).status, 404);
    assert.equal((await deleteCluster(alice, id)).status, 404);
  });

  it('is 409 while another one is running, which completes', async () => {
    const hold = await simulated.control.hold('before', { operation: 'servers.create' });
    const first = scaleCluster(simulated.gateway, id, 2);
    await hold.waitUntilReached(HOLD_MS);

    for (const count of [1, 3]) {
      const second = await scaleCluster(simulated.gateway, id, count);
      assert.deepEqual([second.status, second.body.code], [409, 'conflict'], second.text);
      assert.ok(second.body.job_id);
    }
    await hold.release();
    assert.equal((await first).status, 200);
    assert.deepEqual(await agents(), ['agent-1', 'agent-2']);
  });

  it('that fails is undone with its reason, until a later success', async () => {
    const before = await simulated.control.inventory();
    await simulated.control.addFault({ operation: 'servers.create', nth: 2, status: 400 });

    const failed = await scaleCluster(simulated.gateway, id, 5);

    assert.equal(failed.status, 400, failed.text);
    const cluster = await readCluster(simulated.gateway, id);
    assert.deepEqual([cluster.status, cluster.status_reason], ['ACTIVE', failed.body.detail]);
    assert.deepEqual(await agents(), ['agent-1', 'agent-2']);
    await eventually(async () => {
      assert.deepEqual(await simulated.control.inventory(), before);
      return true;
    });
    assert.deepEqual(await nodes(), ['agent-1', 'agent-2', 'server']);

    await scale(3);

    assert.equal((await readCluster(simulated.gateway, id)).status_reason, null);
    assert.deepEqual(await agents(), ['agent-1', 'agent-2', 'agent-3']);
  });

  it('that cannot remove an agent leaves a record of those that exist', async () => {
    await simulated.control.addFault({ operation: 'servers.delete', nth: 2, status: 403, times: 0 });

    const failed = await scaleCluster(simulated.gateway, id, 1);

    assert.equal(failed.status, 403, failed.text);
    assert.deepEqual(await agents(), ['agent-1', 'agent-2']);
    const { status, status_reason } = await readCluster(simulated.gateway, id);
    assert.deepEqual([status, status_reason], ['ACTIVE', failed.body.detail]);
    assert.deepEqual(await nodes(), ['agent-1', 'agent-2', 'server']);
    await simulated.control.clear();
    await scale(1);
    assert.deepEqual([await agents(), await nodes()], [['agent-1'], ['agent-1', 'server']]);
  });

  it('is refused before anything is created if a quota is too small', async () => {
    const before = await simulated.control.inventory();
    const admin = await CloudClient.logIn(simulated.stack.identityUrl ?? '', testLogin('admin'));
    const setInstances = (instances: number) =>
      admin.call('compute', 'PUT', `/os-quota-sets/${simulated.gateway.projectId}`, {
        quota_set: { instances, force: true },
      });
    await setInstances(2);

    const refused = await scaleCluster(simulated.gateway, id, 4);

    await setInstances(500);
    assert.deepEqual([refused.status, refused.body.code], [409, 'quota_exceeded'], refused.text);
    assert.deepEqual(await simulated.control.inventory(), before);
    await scale(2);
  });

  it('responds after its time limit with the job, which continues', async () => {
    const hold = await simulated.control.hold('before', { operation: 'servers.create' });

    const answer = await scaleCluster(simulated.gateway, id, 3);

    assert.deepEqual([answer.status, answer.body.code], [504, 'timeout'], answer.text);
    await hold.release();
    await messagesOf(await simulated.gateway.followJob(answer.body.job_id ?? ''));
    assert.deepEqual(await agents(), ['agent-1', 'agent-2', 'agent-3']);
  });

  it('is 400 once the cluster is deleted', async () => {
    assert.equal((await deleteCluster(simulated.gateway, id)).status, 204);

    const refused = await scaleCluster(simulated.gateway, id, 1);

    assert.equal(refused.status, 400, refused.text);
    await eventually(async () => {
      assert.deepEqual(await simulated.control.inventory(), simulated.baseline);
      const cluster = await readCluster(simulated.gateway, id);
      assert.deepEqual([cluster.status, cluster.status_reason, cluster.agent_count], ['DELETED', null, 0]);
      return true;
    });
  });
});
