import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { KubernetesApi, parseKubeconfig } from '@gateway/lite';
import { CloudClient } from '../support/clients/cloud-client.ts';
import { eventually } from '../support/eventually.ts';
import { send } from '../support/kubernetes/objects.ts';
import {
  apiAccessOf,
  checkHealth,
  createCluster,
  deleteCluster,
  readCluster,
  repairCluster,
  scaleCluster,
} from '../support/lite/clusters.ts';
import { SimulatedStack } from '../support/stacks/simulated-stack.ts';
import { testLogin } from '../support/stacks/test-stack.ts';

const HOLD_MS = 10_000;

describe('the repair of a lite cluster', function () {
  this.timeout(120_000);
  let simulated: SimulatedStack;
  let cloud: CloudClient;
  let id: string;
  let name: string;
  let controlVmId: string;

  before(async () => {
    simulated = await SimulatedStack.start({
      config: {
        lite: { server_volume_size_gb: 1, agent_volume_size_gb: 1, health: { request_seconds: 1 } },
        jobs: { sweep_seconds: 2 },
        time_limits: { lite_drain_seconds: 2, step_retry_seconds: 1, undo_seconds: 5 },
      },
    });
    cloud = await CloudClient.logIn(simulated.stack.identityUrl ?? '', testLogin('demo'));
    name = `e2e-${randomUUID().slice(0, 8)}`;
    const last = (await createCluster(simulated.gateway, { name, agent_count: 2 })).at(-1);
    assert.equal(last?.step, 'completed', last?.error ?? '');
    id = last.cluster_id;
    controlVmId = (await readCluster(simulated.gateway, id)).server_vm_id ?? '';
  });

  afterEach(() => simulated.control.clear());

  after(() => simulated?.stop());

  function repair(node: string, force?: boolean) {
    return repairCluster(simulated.gateway, id, {
      node: `${name}-${node}`,
      ...(force !== undefined && { force }),
    });
  }

  /** The agents in the record, by the names of their servers without the cluster's name. */
  async function agents(): Promise<Map<string, string>> {
    const { agent_vm_ids, agent_count } = await readCluster(simulated.gateway, id);
    assert.equal(agent_vm_ids.length, agent_count);
    const instances = await simulated.gateway.read<{ id: string; name: string }[]>(
      '/api/instances?refresh=true',
    );
    const nameOf = (vm: string) => instances.find((one) => one.id === vm)?.name ?? `${name}-missing`;
    return new Map(agent_vm_ids.map((vm) => [nameOf(vm).slice(name.length + 1), vm]));
  }

  async function vmOf(agent: string): Promise<string> {
    const vmId = (await agents()).get(agent);
    assert.ok(vmId, `there is no ${agent}`);
    return vmId;
  }

  /** The nodes of the API server, without the cluster's name; those that are not ready are in brackets. */
  async function nodes(): Promise<string[]> {
    const { text } = await simulated.gateway.request('GET', `/api/lite/clusters/${id}/kubeconfig`);
    const api = new KubernetesApi({ ...parseKubeconfig(text), requestTimeoutMs: 5_000 });
    try {
      const found = await api.listNodes();
      return found.map((node) => {
        const short = node.name.slice(name.length + 1);
        return node.ready ? short : `(${short})`;
      });
    } finally {
      api.close();
    }
  }

  async function switchOff(vmId: string): Promise<void> {
    await cloud.call('compute', 'POST', `/servers/${vmId}/action`, { 'os-stop': null });
    await eventually(async () => {
      const { server } = await cloud.call<{ server: { status: string } }>(
        'compute',
        'GET',
        `/servers/${vmId}`,
      );
      return server.status === 'SHUTOFF';
    });
  }

  /** How many resources of nodes there are. */
  async function counts(): Promise<Record<string, number>> {
    const inventory = await simulated.control.inventory();
    return Object.fromEntries(
      ['servers', 'volumes', 'ports', 'attachments'].map((kind) => [kind, inventory.get(kind)?.size ?? 0]),
    );
  }

  /** The changes of objects in the cluster so far. */
  async function changes(): Promise<string[]> {
    const requests = await simulated.control.kubernetesRequests(controlVmId);
    return requests.filter((one) => !one.startsWith('GET '));
  }

  it('is 409 for a node that is ready, and changes nothing', async () => {
    const before = await simulated.control.inventory();

    const refused = await repair('agent-1');

    assert.deepEqual([refused.status, refused.body.code], [409, 'node_not_dead'], refused.text);
    assert.match(refused.body.detail ?? '', /is ready.*"force": true/);
    assert.deepEqual(await simulated.control.inventory(), before);
    assert.equal((await readCluster(simulated.gateway, id)).status_reason, null);
  });

  it('replaces a node that is not ready, with all that it had', async () => {
    const before = await counts();
    const oldVm = await vmOf('agent-1');
    await simulated.control.changeKubernetes(controlVmId, {
      nodes: { [`${name}-agent-1`]: { ready: false } },
    });

    const answer = await repair('agent-1');

    assert.deepEqual([answer.status, answer.body.agent_count], [200, 2], answer.text);
    assert.deepEqual([...(await agents()).keys()], ['agent-2', 'agent-3']);
    assert.deepEqual(await nodes(), ['agent-2', 'agent-3', 'server']);
    assert.equal((await simulated.control.inventory()).get('servers')?.has(oldVm), false);
    assert.deepEqual(await counts(), before);
    assert.equal((await checkHealth(simulated.gateway, id)).status, 'HEALTHY');
  });

  it('replaces a node whose server is switched off', async () => {
    const before = await counts();
    await switchOff(await vmOf('agent-2'));

    const answer = await repair('agent-2');

    assert.equal(answer.status, 200, answer.text);
    assert.deepEqual([...(await agents()).keys()], ['agent-1', 'agent-3']);
    assert.deepEqual(await nodes(), ['agent-1', 'agent-3', 'server']);
    assert.deepEqual(await counts(), before);
  });

  it('replaces a node whose server is gone', async () => {
    const before = await counts();
    const vmId = await vmOf('agent-1');
    await cloud.call('compute', 'DELETE', `/servers/${vmId}`);
    await eventually(async () => !(await simulated.control.inventory()).get('servers')?.has(vmId));
    assert.deepEqual(await nodes(), ['(agent-1)', 'agent-3', 'server']);
    // A cloud controller does so.
    await send(await apiAccessOf(simulated.gateway, id), 'DELETE', `/api/v1/nodes/${name}-agent-1`);
    const health = await checkHealth(simulated.gateway, id);
    assert.deepEqual(
      [health.status, health.nodes.find((node) => node.name === `${name}-agent-1`)?.conditions],
      ['DEGRADED', ['NotRegistered']],
    );

    const answer = await repair('agent-1');

    assert.equal(answer.status, 200, answer.text);
    assert.deepEqual([...(await agents()).keys()], ['agent-2', 'agent-3']);
    assert.deepEqual(await nodes(), ['agent-2', 'agent-3', 'server']);
    assert.deepEqual(await counts(), before);
  });

  it('replaces a node that is ready with force, after it is drained', async () => {
    const before = await counts();
    const earlier = (await changes()).length;

    const answer = await repair('agent-3', true);

    assert.equal(answer.status, 200, answer.text);
    const node = `/api/v1/nodes/${name}-agent-3`;
    assert.deepEqual((await changes()).slice(earlier), [`PATCH ${node}`, `DELETE ${node}`]);
    assert.deepEqual([...(await agents()).keys()], ['agent-1', 'agent-2']);
    assert.deepEqual(await nodes(), ['agent-1', 'agent-2', 'server']);
    assert.deepEqual(await counts(), before);
  });

  it('without the API server needs a dead server or force', async () => {
    await simulated.control.changeKubernetes(controlVmId, { api: 'down' });

    const refused = await repair('agent-1');
    assert.deepEqual([refused.status, refused.body.code], [409, 'node_not_dead'], refused.text);
    assert.match(refused.body.detail ?? '', /the API server of the cluster does not answer/);

    await switchOff(await vmOf('agent-1'));
    const answer = await repair('agent-1');
    assert.equal(answer.status, 200, answer.text);
    await simulated.control.changeKubernetes(controlVmId, { api: 'up' });
    assert.deepEqual([...(await agents()).keys()], ['agent-2', 'agent-3']);
    await eventually(async () => (await nodes()).includes('agent-3'));
    assert.deepEqual(await nodes(), ['(agent-1)', 'agent-2', 'agent-3', 'server']);
    // The next change removes the object, so that the number is free.
    assert.equal((await scaleCluster(simulated.gateway, id, 3)).status, 200);
    assert.deepEqual(await nodes(), ['agent-1', 'agent-2', 'agent-3', 'server']);
    assert.equal((await scaleCluster(simulated.gateway, id, 2)).status, 200);
  });

  it('that fails leaves the cluster as it was, and says why', async () => {
    const before = await simulated.control.inventory();
    await simulated.control.addFault({ operation: 'servers.create', status: 400 });

    const failed = await repair('agent-1', true);

    assert.equal(failed.status, 400, failed.text);
    const { status, status_reason } = await readCluster(simulated.gateway, id);
    assert.deepEqual([status, status_reason], ['ACTIVE', failed.body.detail]);
    assert.deepEqual([...(await agents()).keys()], ['agent-1', 'agent-2']);
    assert.deepEqual(await nodes(), ['agent-1', 'agent-2', 'server']);
    await eventually(async () => {
      assert.deepEqual(await simulated.control.inventory(), before);
      return true;
    });
  });

  it('succeeds if the old server cannot be deleted, and sweeps it', async () => {
    const before = await counts();
    const oldVm = await vmOf('agent-1');
    await switchOff(oldVm);
    await simulated.control.addFault({ operation: 'servers.delete', status: 409, times: 0 });

    const answer = await repair('agent-1');

    assert.equal(answer.status, 200, answer.text);
    assert.deepEqual([...(await agents()).keys()], ['agent-2', 'agent-3']);
    assert.equal((await simulated.control.inventory()).get('servers')?.has(oldVm), true);
    await simulated.control.clear();
    await eventually(async () => {
      assert.deepEqual(await counts(), before);
      return true;
    });
  });

  it('is 409 during another one and during a scaling', async () => {
    const hold = await simulated.control.hold('before', { operation: 'servers.create' });
    const first = repair('agent-2', true);
    await hold.waitUntilReached(HOLD_MS);

    for (const second of [await repair('agent-3', true), await scaleCluster(simulated.gateway, id, 1)]) {
      assert.deepEqual([second.status, second.body.code], [409, 'conflict'], second.text);
      assert.ok(second.body.job_id);
    }
    await hold.release();
    assert.equal((await first).status, 200);
    assert.deepEqual([...(await agents()).keys()], ['agent-1', 'agent-3']);
  });

  it('drains a node that has come back meanwhile', async () => {
    const setReady = (ready: boolean) =>
      simulated.control.changeKubernetes(controlVmId, { nodes: { [`${name}-agent-3`]: { ready } } });
    await setReady(false);
    const earlier = (await changes()).length;
    const hold = await simulated.control.hold('before', { operation: 'servers.create' });
    const answer = repair('agent-3');
    await hold.waitUntilReached(HOLD_MS);
    await setReady(true);

    await hold.release();

    assert.equal((await answer).status, 200);
    const node = `/api/v1/nodes/${name}-agent-3`;
    assert.deepEqual((await changes()).slice(earlier), [`PATCH ${node}`, `DELETE ${node}`]);
    assert.deepEqual([...(await agents()).keys()], ['agent-1', 'agent-2']);
  });

  it('ends when the cluster is deleted, with nothing left', async () => {
    const hold = await simulated.control.hold('before', { operation: 'servers.create' });
    const running = repair('agent-1', true);
    await hold.waitUntilReached(HOLD_MS);

    assert.equal((await deleteCluster(simulated.gateway, id)).status, 204);

    await hold.release();
    const answer = await running;
    assert.deepEqual([answer.status, answer.body.code], [409, 'cancelled'], answer.text);
    await eventually(async () => {
      assert.deepEqual(await simulated.control.inventory(), simulated.baseline);
      const cluster = await readCluster(simulated.gateway, id);
      assert.deepEqual([cluster.status, cluster.status_reason, cluster.agent_count], ['DELETED', null, 0]);
      return true;
    });
    assert.equal((await repair('agent-1')).status, 400);
  });
});
