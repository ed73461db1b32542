import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { readFirstBootData } from '../../apps/cloudsim/src/guest/first-boot-data.ts';
import { planIn } from '../../apps/cloudsim/src/guest/plan.ts';
import { send } from '../support/kubernetes/objects.ts';
import {
  apiAccessOf,
  checkHealth,
  createCluster,
  type LiteCluster,
  readCluster,
  scaleCluster,
} from '../support/lite/clusters.ts';
import { SimulatedStack } from '../support/stacks/simulated-stack.ts';

const LABEL = 'nvidia.com/gpu.present';
const argument = `--node-label=${LABEL}=true`;

describe('the nodes of a lite cluster with GPUs', function () {
  this.timeout(180_000);
  let simulated: SimulatedStack;

  async function start(lite: object = {}, env: Record<string, string> = {}): Promise<void> {
    simulated = await SimulatedStack.start({
      env,
      config: {
        instances: { gpu_driver_packages: ['some-driver'] },
        lite: {
          gpu: { container_toolkit_packages: ['some-toolkit'] },
          server_volume_size_gb: 1,
          agent_volume_size_gb: 1,
          health: { request_seconds: 1 },
          ...lite,
        },
      },
    });
  }

  afterEach(() => simulated?.stop());

  async function create(agentFlavor: string, agentCount = 1): Promise<LiteCluster> {
    const flavors = await simulated.gateway.read<{ id: string; name: string }[]>('/api/flavors');
    const flavor = flavors.find(({ name }) => name === agentFlavor);
    const body = {
      name: `e2e-${randomUUID().slice(0, 8)}`,
      agent_count: agentCount,
      agent_flavor_id: flavor?.id,
    };
    const last = (await createCluster(simulated.gateway, body)).at(-1);
    assert.equal(last?.step, 'completed', last?.error ?? '');
    return readCluster(simulated.gateway, last.cluster_id);
  }

  /** What the first boot of a machine does for GPUs. */
  async function gpuWork(vmId: string | null | undefined) {
    const data = readFirstBootData((await simulated.control.userData(vmId ?? '')).toString('base64'));
    const plan = planIn(data);
    return {
      packages: [...(plan?.all('gpu_package') ?? []), ...(plan?.all('gpu_toolkit_package') ?? [])],
      isLabelled: plan?.all('argument').includes(argument),
      hasManifests: data.files.has('/opt/k3s/gpu-manifests.yaml'),
    };
  }

  /** The names of the nodes with the label, the GPUs for pods by node, and the health of the plugin. */
  async function gpusOf({ id }: LiteCluster) {
    const access = await apiAccessOf(simulated.gateway, id);
    const { body } = await send(access, 'GET', `/api/v1/nodes?labelSelector=${LABEL}`);
    const { items } = body as { items: { metadata: { name: string; labels: Record<string, string> } }[] };
    const { nodes, plugins } = await checkHealth(simulated.gateway, id);
    return {
      nodes: items
        .filter(({ metadata }) => metadata.labels[LABEL] === 'true')
        .map(({ metadata }) => metadata.name),
      allocatable: Object.fromEntries(nodes.map((node) => [node.name, node.allocatable_gpus])),
      plugins: plugins.map(({ name, status }) => [name, status]),
    };
  }

  const withGpus = { packages: ['some-driver', 'some-toolkit'], isLabelled: true };
  const withoutGpus = { packages: [], isLabelled: false };

  it('get them at first boot, also those that a scaling adds', async () => {
    await start();
    const cluster = await create('g1.small', 0);

    assert.deepEqual(await gpuWork(cluster.server_vm_id), { ...withoutGpus, hasManifests: true });
    assert.deepEqual(cluster.plugin_status, { gpu: 'deployed' });
    assert.deepEqual(await gpusOf(cluster), {
      nodes: [],
      allocatable: { [`${cluster.name}-server`]: 0 },
      plugins: [['gpu', 'available']],
    });

    const scaled = await scaleCluster(simulated.gateway, cluster.id, 1);

    assert.equal(scaled.status, 200, scaled.text);
    const { agent_vm_ids: agents } = await readCluster(simulated.gateway, cluster.id);
    assert.deepEqual(await gpuWork(agents[0]), { ...withGpus, hasManifests: false });
    assert.deepEqual(await gpusOf(cluster), {
      nodes: [`${cluster.name}-agent-1`],
      allocatable: { [`${cluster.name}-agent-1`]: 1, [`${cluster.name}-server`]: 0 },
      plugins: [['gpu', 'available']],
    });
  });

  it('are not those of other flavors, and their clusters lack the plugin', async () => {
    await start();
    const cluster = await create('m1.tiny');

    for (const vmId of [cluster.server_vm_id, cluster.agent_vm_ids[0]]) {
      assert.deepEqual(await gpuWork(vmId), { ...withoutGpus, hasManifests: false });
    }
    assert.deepEqual(cluster.plugin_status, {});
    assert.deepEqual(await gpusOf(cluster), {
      nodes: [],
      allocatable: { [`${cluster.name}-agent-1`]: 0, [`${cluster.name}-server`]: 0 },
      plugins: [],
    });
  });

  it('can be the control node alone, with packages of its own', async () => {
    const gpu = { driver_packages: ['node-driver'], container_toolkit_packages: [] };
    await start({ gpu }, { GATEWAY_LITE_SERVER_FLAVOR: 'g1.small' });
    const cluster = await create('m1.tiny');

    assert.deepEqual(await gpuWork(cluster.server_vm_id), {
      packages: ['node-driver'],
      isLabelled: true,
      hasManifests: true,
    });
    assert.deepEqual(await gpuWork(cluster.agent_vm_ids[0]), { ...withoutGpus, hasManifests: false });
    assert.deepEqual(await gpusOf(cluster), {
      nodes: [`${cluster.name}-server`],
      allocatable: { [`${cluster.name}-agent-1`]: 0, [`${cluster.name}-server`]: 1 },
      plugins: [['gpu', 'available']],
    });
  });

  it('are left alone when the plugin is switched off', async () => {
    await start({ plugins: { gpu_enabled: false } });
    const cluster = await create('g1.small');

    assert.deepEqual(await gpuWork(cluster.agent_vm_ids[0]), { ...withoutGpus, hasManifests: false });
    assert.deepEqual(cluster.plugin_status, {});
  });
});
