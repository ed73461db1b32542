import assert from 'node:assert/strict';
import { createHash, X509Certificate } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { request } from 'node:https';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseKubeconfig } from '@gateway/lite';
import { KubernetesClusters } from '../../../apps/cloudsim/src/guest/kubernetes/kubernetes.ts';
import {
  emptyKubernetes,
  type KubernetesCluster,
} from '../../../apps/cloudsim/src/guest/kubernetes/state.ts';
import { type Cloudsim, startCloudsim } from '../../../apps/cloudsim/src/server.ts';

const VERSION = 'v1.36.1+k3s1';
const CONTROL = { name: 'lab-server', address: '10.0.0.10' };

/** The status of a response; the code of the network error without one. */
function statusOf(
  { address, port, serverAuthority, admin }: KubernetesCluster,
  path: string,
  withCertificate = true,
): Promise<number | string> {
  return new Promise((resolve) => {
    const sent = request(
      {
        host: address,
        port,
        path,
        ca: serverAuthority.certificate,
        agent: false,
        ...(withCertificate && { cert: admin.certificate, key: admin.key }),
      },
      (response) => {
        response.resume();
        resolve(response.statusCode ?? 0);
      },
    );
    sent.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    sent.end();
  });
}

describe('the Kubernetes clusters of the simulated cloud', () => {
  let cloudsim: Cloudsim;

  beforeEach(async () => {
    cloudsim = await startCloudsim();
  });
  afterEach(() => cloudsim.close());

  async function create(id = 'c1', sans: string[] = []) {
    const installed = await cloudsim.cloud.kubernetesClusters.create({
      id,
      version: VERSION,
      controlNode: CONTROL,
      sans,
    });
    const cluster = cloudsim.cloud.kubernetesClusters.get(id);
    assert.ok(cluster);
    return { installed, cluster };
  }

  async function control(method: string, path: string, body?: object) {
    const response = await fetch(`${cloudsim.url}/_control/kubernetes${path}`, {
      method,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return { status: response.status, body: await response.json() };
  }

  it('have an address of their own, and a file for access', async () => {
    const { installed, cluster } = await create('c1', ['192.0.2.7', 'lab.example']);
    const other = await create('c2');

    assert.match(installed.address, /^127\.\d+\.\d+\.\d+$/);
    assert.equal(installed.port, 6443);
    assert.notEqual(other.installed.address, installed.address);
    const { server, credentials } = parseKubeconfig(installed.kubeconfig);
    assert.equal(server, 'https://127.0.0.1:6443');
    assert.ok('clientKey' in credentials);
    assert.equal(await statusOf(cluster, '/api/v1/nodes/lab-server'), 200);
    assert.equal(await statusOf(cluster, '/version', false), 401);
    const certificate = new X509Certificate(cluster.server.certificate);
    for (const address of [installed.address, '127.0.0.1', '192.0.2.7', '10.0.0.10'])
      assert.ok(certificate.checkIP(address), address);
    assert.ok(certificate.checkHost('lab.example'));
  });

  it('admit agents by a token that contains the hash of their authority', async () => {
    const { installed, cluster } = await create();
    const { kubernetesClusters } = cloudsim.cloud;
    const hash = createHash('sha256').update(cluster.serverAuthority.certificate).digest('hex');
    assert.match(installed.nodeToken, /^K10[0-9a-f]{64}::node:[0-9a-f]{32}$/);
    assert.ok(installed.nodeToken.includes(hash));
    const agent = { name: 'lab-agent-1', address: '10.0.0.11', machineId: 'first' };

    assert.equal(kubernetesClusters.join(`${installed.nodeToken}x`, agent), null);
    assert.equal(kubernetesClusters.join(installed.nodeToken, agent), 'c1');

    assert.equal(await statusOf(cluster, '/api/v1/nodes/lab-agent-1'), 200);
  });

  it("admit another machine under a name after the old object's deletion", async () => {
    const { installed } = await create();
    const { kubernetesClusters } = cloudsim.cloud;
    const join = (machineId: string) =>
      kubernetesClusters.join(installed.nodeToken, { name: 'lab-agent-1', address: '10.0.0.11', machineId });
    assert.equal(join('first'), 'c1');

    assert.equal(join('second'), null);
    assert.equal(join('first'), 'c1');
    assert.equal(kubernetesClusters.removeNode('c1', 'lab-agent-1'), true);
    assert.equal(join('second'), 'c1');
  });

  it('refuse connections while their node is off, and keep their address', async () => {
    const { installed, cluster } = await create();
    const { kubernetesClusters } = cloudsim.cloud;

    kubernetesClusters.stop('c1');
    assert.equal(await statusOf(cluster, '/version'), 'ECONNREFUSED');
    assert.equal(kubernetesClusters.join(installed.nodeToken, { ...CONTROL, name: 'x' }), null);

    await kubernetesClusters.start('c1');
    await kubernetesClusters.start('c1');
    assert.equal(await statusOf(cluster, '/version'), 200);

    kubernetesClusters.remove('c1');
    assert.equal(await statusOf(cluster, '/version'), 'ECONNREFUSED');
    assert.equal(kubernetesClusters.get('c1'), undefined);
  });

  it('are listed and changed by the control API, with nodes and requests', async () => {
    const { cluster } = await create();
    await statusOf(cluster, '/api/v1/nodes?limit=1');

    const { body } = await control('GET', '/c1');
    assert.deepEqual(body, {
      id: 'c1',
      address: cluster.address,
      port: 6443,
      version: VERSION,
      is_running: true,
      api: 'up',
      isHealthy: true,
      failures: [],
      objects: ['nodes//lab-server'],
      requests: ['GET /api/v1/nodes'],
    });
    assert.deepEqual((await control('GET', '')).body, { clusters: [body] });

    await control('POST', '/c1', { isHealthy: false, nodes: { 'lab-server': { ready: false } } });
    assert.equal(await statusOf(cluster, '/readyz'), 500);
    await control('POST', '/c1', { api: 'down' });
    assert.equal(await statusOf(cluster, '/version'), 'ECONNREFUSED');
    await control('POST', '/c1', { api: 'up', isHealthy: true });
    assert.equal(await statusOf(cluster, '/readyz'), 200);

    await control('POST', '/c1', { failures: ['GET /api/v1/nodes'] });
    assert.equal(await statusOf(cluster, '/api/v1/nodes'), 503);
    assert.equal(await statusOf(cluster, '/api/v1/nodes'), 200);

    assert.equal((await control('POST', '/c1', { api: 'sideways' })).status, 400);
    assert.equal((await control('POST', '/c1', { nodes: { none: { ready: true } } })).status, 404);
    assert.equal((await control('POST', '/none', { api: 'down' })).status, 404);
  });

  it('end with a reset and with the cloud', async () => {
    const { cluster } = await create();
    await fetch(`${cloudsim.url}/_control/reset`, { method: 'POST' });
    assert.equal(await statusOf(cluster, '/version'), 'ECONNREFUSED');
    assert.deepEqual(cloudsim.cloud.kubernetesClusters.list(), []);

    const after = await create();
    await cloudsim.close();
    assert.equal(await statusOf(after.cluster, '/version'), 'ECONNREFUSED');
    cloudsim = await startCloudsim();
  });

  it('do not start once they were removed, or all were closed', async () => {
    const removed = create();
    cloudsim.cloud.kubernetesClusters.remove('c1');
    await assert.rejects(removed, /stopped meanwhile/);

    const closed = create();
    cloudsim.cloud.kubernetesClusters.close();
    await assert.rejects(closed, /stopped meanwhile/);

    assert.deepEqual(cloudsim.cloud.kubernetesClusters.list(), []);
  });

  it('keep a node cordoned that returns', async () => {
    const { installed, cluster } = await create();
    const { kubernetesClusters } = cloudsim.cloud;
    const agent = { name: 'lab-agent-1', address: '10.0.0.11', machineId: 'first' };
    kubernetesClusters.join(installed.nodeToken, agent);
    const node = cluster.objects.get('nodes//lab-agent-1');
    assert.ok(node?.spec);
    node.spec.unschedulable = true;
    kubernetesClusters.setNodeReady('c1', 'lab-agent-1', false);

    kubernetesClusters.join(installed.nodeToken, agent);

    assert.equal(node.spec.unschedulable, true);
    assert.match(JSON.stringify(node.status), /"type":"Ready","status":"True"/);
  });

  it('continue after a restart, with their address and changed objects', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'cloudsim-kubernetes-'));
    try {
      await cloudsim.close();
      cloudsim = await startCloudsim({ dataDir });
      const { cluster, installed } = await create();
      cloudsim.cloud.kubernetesClusters.join(installed.nodeToken, {
        name: 'lab-agent-1',
        address: '10.0.0.11',
      });

      await cloudsim.close();
      cloudsim = await startCloudsim({ dataDir });
      assert.equal(await statusOf(cluster, '/version'), 'ECONNREFUSED');
      await cloudsim.cloud.kubernetesClusters.start('c1');

      assert.equal(await statusOf(cluster, '/api/v1/nodes/lab-agent-1'), 200);
    } finally {
      await cloudsim.close();
      rmSync(dataDir, { recursive: true });
      cloudsim = await startCloudsim();
    }
  });
});

describe('the address of a simulated cluster', () => {
  const clusters: KubernetesClusters[] = [];
  afterEach(() => {
    for (const one of clusters.splice(0)) one.close();
  });

  function choosing(addresses: string[]): KubernetesClusters {
    const state = emptyKubernetes();
    const chooseAddress = () => addresses.shift() ?? assert.fail('No address is left.');
    const created = new KubernetesClusters(
      () => state,
      () => {},
      { chooseAddress },
    );
    clusters.push(created);
    return created;
  }

  const create = (from: KubernetesClusters) =>
    from.create({ id: 'c1', version: VERSION, controlNode: CONTROL });

  it('is another one if the first is in use', async () => {
    const used = createServer();
    await new Promise<void>((resolve) => used.listen(6443, '127.201.7.1', resolve));
    try {
      assert.equal((await create(choosing(['127.201.7.1', '127.201.7.2']))).address, '127.201.7.2');
    } finally {
      used.close();
    }
  });

  it('is 127.0.0.1 with its own port without other loopback addresses', async () => {
    // An address for documentation, which this machine does not have.
    const { address, port, kubeconfig } = await create(choosing(['192.0.2.1']));

    assert.equal(address, '127.0.0.1');
    assert.notEqual(port, 0);
    assert.equal(parseKubeconfig(kubeconfig).server, `https://127.0.0.1:${port}`);
  });
});
