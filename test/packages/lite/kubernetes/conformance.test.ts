import assert from 'node:assert/strict';
import {
  type ClusterConnection,
  checkCluster,
  isAvailable,
  judgeHealth,
  KubernetesApi,
  KubernetesError,
  pluginKeys,
  workloadQuery,
} from '@gateway/lite';
import { createAuthority, issueForClient } from '../../../../apps/cloudsim/src/guest/kubernetes/authority.ts';
import { eventually } from '../../../support/eventually.ts';
import { missingForRealCluster } from '../../../support/kubernetes/api-server-tool.ts';
import {
  createBudget,
  createPod,
  createPodOf,
  createWorkload,
  isRunning,
  podAnnotationsOf,
  readSecret,
  release,
  removeBudget,
  send,
  setPodStatus,
  setTaints,
  setWorkloadStatus,
  writeSecret,
} from '../../../support/kubernetes/objects.ts';
import { realCluster } from '../../../support/kubernetes/real-cluster.ts';
import { simulatedCluster } from '../../../support/kubernetes/simulated-cluster.ts';
import type { TestCluster } from '../../../support/kubernetes/test-cluster.ts';
import { pluginObjects } from '../plugin-objects.ts';
import { pluginSettings } from '../plugin-settings.ts';

/** Long enough for the response of a real server that has lost its store, which takes two seconds. */
const REQUEST_MS = 5_000;
const VERSION = 'v1.36.1+k3s1';
const JOB = 'job-1';

const kinds = [
  { title: 'the simulated API server', start: simulatedCluster, missing: () => null },
  { title: 'a real API server', start: realCluster, missing: missingForRealCluster },
];

for (const { title, start, missing } of kinds) {
  describe(`the Kubernetes client and ${title}`, function () {
    this.timeout(120_000);
    let cluster: TestCluster;
    let opened: KubernetesApi[];

    before(async function () {
      const reason = missing();
      if (reason !== null) {
        console.warn(`      NOT CHECKED against ${title}: ${reason}`);
        return this.skip();
      }
      cluster = await start();
    });
    after(() => cluster?.close());
    beforeEach(() => {
      opened = [];
    });
    afterEach(() => {
      for (const api of opened) api.close();
    });

    function open(change: Partial<ClusterConnection> = {}): KubernetesApi {
      const { server, admin } = cluster;
      const api = new KubernetesApi({ server, credentials: admin, requestTimeoutMs: REQUEST_MS, ...change });
      opened.push(api);
      return api;
    }

    function facts(name: string, change: object = {}): object {
      const role = name === cluster.nodes[0] ? 'server' : 'agent';
      const fine = {
        ready: true,
        conditions: [],
        allocatableGpus: 0,
        unschedulable: false,
        cordonedBy: null,
        uninitializedSince: null,
      };
      return { name, role, kubeletVersion: VERSION, ...fine, ...change };
    }

    describe('health', () => {
      afterEach(() => cluster.resume());

      it('reports that all is well, and the nodes by name', async () => {
        const api = open();
        const found = await eventually(async () => {
          const one = await checkCluster(api);
          return one.nodes.every(({ ready }) => ready) ? one : undefined;
        });

        const nodes = [...cluster.nodes].sort().map((name) => facts(name));
        assert.deepEqual(found, {
          reachable: true,
          healthzOk: true,
          nodes,
          workloads: { found: [], pods: [] },
          problem: null,
          isCertificateExpired: false,
        });
        assert.equal(await api.readyz(), true);
        assert.match(await api.version(), /^v1\.36\.1/);
      });

      it('reports an agent and a control node that are not ready', async () => {
        const [control, agent] = cluster.nodes;
        const api = open();
        for (const name of [control, agent]) await cluster.setReady(name, false);
        try {
          const nodes = await eventually(async () => {
            const found = await api.listNodes();
            return found.filter(({ ready }) => ready).length === 1 ? found : undefined;
          });
          const problem = { ready: false, conditions: ['NotReady'] };
          const byName = new Map(nodes.map((node) => [node.name, node]));
          assert.deepEqual(byName.get(control), facts(control, problem));
          assert.deepEqual(byName.get(agent), facts(agent, problem));
        } finally {
          for (const name of [control, agent]) await cluster.setReady(name, true);
        }
      });

      it('reports a server that refuses connections as unreachable', async () => {
        await cluster.kill();

        const found = await checkCluster(open());

        assert.deepEqual(found, {
          reachable: false,
          healthzOk: false,
          nodes: [],
          workloads: null,
          problem: 'ECONNREFUSED',
          isCertificateExpired: false,
        });
      });

      it('reports a server that accepts connections and hangs as unreachable', async () => {
        await cluster.pause();

        const found = await checkCluster(open({ requestTimeoutMs: 500 }));

        assert.equal(found.reachable, false);
        assert.equal(found.problem, 'no response within 500 ms');
      });

      it('ends requests on an open connection to a server that hangs', async () => {
        const api = open({ requestTimeoutMs: 500 });
        await api.healthz();
        await cluster.pause();

        await assert.rejects(api.listNodes(), isKubernetesError('unreachable'));
      });

      it('reports a server without store as unhealthy, with its cached nodes', async () => {
        // The server serves these lists from memory only after it has read them once.
        await eventually(async () => (await open().listNodes({ mayBeStale: true })).length > 0);
        await cluster.pauseStore();

        const found = await eventually(async () => {
          const one = await checkCluster(open());
          return one.healthzOk ? undefined : one;
        });

        assert.equal(found.reachable, true);
        assert.deepEqual(
          found.nodes.map(({ name }) => name),
          [...cluster.nodes].sort(),
        );
      });

      it('trusts no server whose certificate another authority has signed', async () => {
        const other = await simulatedCluster();
        try {
          const found = await checkCluster(open({ credentials: { ...cluster.admin, ca: other.admin.ca } }));

          assert.equal(found.reachable, false);
          assert.match(found.problem ?? '', /UNABLE_TO_VERIFY|SELF_SIGNED|signature/i);
        } finally {
          await other.close();
        }
      });

      it('trusts a certificate for another address only if configured', async () => {
        const wrong = await checkCluster(open({ tlsServerName: '192.0.2.1' }));
        assert.equal(wrong.reachable, false);
        assert.equal(wrong.problem, 'ERR_TLS_CERT_ALTNAME_INVALID');

        const right = await checkCluster(open({ tlsServerName: 'localhost' }));
        assert.equal(right.reachable, true);
      });

      it('reports a server that refuses the rights or the credentials as reachable', async () => {
        const { ca } = cluster.admin;

        const without = open({ credentials: { ca, token: cluster.tokenWithoutRights } });
        const { problem, ...found } = await checkCluster(without);
        assert.deepEqual(found, {
          reachable: true,
          healthzOk: true,
          nodes: [],
          workloads: { found: [], pods: [] },
          isCertificateExpired: false,
        });
        const query = workloadQuery(['block_csi']);
        assert.equal((await checkCluster(without, query)).workloads, null);
        assert.match(problem ?? '', /^403 /);
        await assert.rejects(without.listNodes(), isKubernetesError('refused', 403));

        const unknown = await checkCluster(open({ credentials: { ca, token: 'unknown' } }));
        assert.equal(unknown.reachable, true);
        assert.match(unknown.problem ?? '', /^401 /);
      });

      it('says that its client certificate has expired', async () => {
        const authority = await createAuthority('k3s-client-ca@1');
        const [notBefore, notAfter] = [new Date('2025-01-01'), new Date('2026-01-01')];
        const { certificate, key } = await issueForClient(
          authority,
          { name: 'system:admin' },
          { notBefore, notAfter },
        );
        const credentials = { ...cluster.admin, clientCertificate: certificate, clientKey: key };

        const found = await checkCluster(open({ credentials }));

        assert.deepEqual([found.reachable, found.isCertificateExpired, found.nodes], [true, true, []]);
        assert.equal(found.problem, 'the client certificate expired on 2026-01-01T00:00:00.000Z');
      });

      it('throws the reason of its signal', async () => {
        const stop = new AbortController();
        await cluster.pause();
        const found = checkCluster(open({ signal: stop.signal }));
        stop.abort(new Error('stopped'));

        await assert.rejects(found, /^Error: stopped$/);
      });
    });

    describe('the plugins', () => {
      const workloads = pluginObjects(pluginSettings()).flatMap(({ objects }) =>
        objects.filter(({ kind }) => ['Deployment', 'DaemonSet', 'Job'].includes(kind)),
      );

      async function plugins(): Promise<Record<string, [status: string, message: string | null]>> {
        const facts = await checkCluster(open(), workloadQuery(pluginKeys));
        const lab = { id: 'c1', name: 'lab', reachability: 'fixed_ip', agentNodes: [] } as const;
        const health = judgeHealth({ ...lab, plugins: pluginKeys }, facts, Date.now());
        return Object.fromEntries(
          health.plugins.map(({ name, status, message }) => [name, [status, message]]),
        );
      }

      it('are missing before they are applied, and then progress', async () => {
        for (const [status] of Object.values(await plugins())) assert.equal(status, 'missing');

        for (const workload of workloads) await createWorkload(cluster, workload);

        for (const [status] of Object.values(await plugins())) assert.equal(status, 'progressing');
      });

      it('are available once their controllers say so', async () => {
        const running = { readyReplicas: 1, updatedReplicas: 1, availableReplicas: 1, replicas: 1 };
        const scheduled = { currentNumberScheduled: 1, desiredNumberScheduled: 1, numberMisscheduled: 0 };
        const daemons = { ...scheduled, numberReady: 1, updatedNumberScheduled: 1, numberAvailable: 1 };
        const job = { startTime: '2026-01-01T00:00:00Z', active: 0, succeeded: 1 };
        for (const workload of workloads) {
          const status = { Deployment: running, DaemonSet: daemons, Job: job }[workload.kind] ?? {};
          const observed = workload.kind === 'Job' ? {} : { observedGeneration: 1 };
          await setWorkloadStatus(cluster, workload, { ...status, ...observed });
        }

        for (const [status, message] of Object.values(await plugins())) {
          assert.deepEqual([status, message], ['available', null]);
        }
      });

      it('are available without a node that they are for', async () => {
        const [device] = workloads.filter(({ spec }) => spec?.template?.spec.nodeSelector !== undefined);
        assert.ok(device);
        const none = { currentNumberScheduled: 0, desiredNumberScheduled: 0, numberMisscheduled: 0 };
        const status = { ...none, numberReady: 0, updatedNumberScheduled: 0, numberAvailable: 0 };
        await setWorkloadStatus(cluster, device, { ...status, observedGeneration: 1 });

        assert.deepEqual((await plugins()).gpu, ['available', null]);
      });

      it('fail with the reason of a pod', async () => {
        const [controller] = workloads.filter(({ kind }) => kind === 'Deployment');
        assert.ok(controller);
        const app = controller.metadata.name;
        await createPodOf(cluster, cluster.nodes[0], app);
        const fine = { readyReplicas: 0, availableReplicas: 0 };
        await setWorkloadStatus(cluster, controller, fine);
        const waiting = { reason: 'ImagePullBackOff', message: 'not found' };
        const container = { name: 'main', image: 'registry.example/app:1', imageID: '', restartCount: 0 };

        const [status, message] = await eventually(async () => {
          // The tool's kubelet reports the pod as running first.
          const containerStatuses = [{ ...container, ready: false, state: { running: null, waiting } }];
          await setPodStatus(cluster, app, { containerStatuses });
          const found = (await plugins()).block_csi;
          return found?.[0] === 'failed' ? found : undefined;
        });

        assert.equal(status, 'failed');
        assert.equal(message, `${app}: the image registry.example/app:1 cannot be pulled: not found.`);
      });
    });

    describe('the values of a secret', () => {
      const name = 'config';

      it('are read and changed', async () => {
        const api = open();
        const change = () =>
          api.changeSecret('kube-system', name, (values) => ({ ...values, file: 'second = "ü"' }));
        await writeSecret(cluster, name, { file: 'first = "ä"', other: 'stays' });

        assert.deepEqual(await api.readSecret('kube-system', name), { file: 'first = "ä"', other: 'stays' });
        assert.equal(await change(), true);
        assert.equal(await change(), true);

        assert.deepEqual(await readSecret(cluster, name), { file: 'second = "ü"', other: 'stays' });
      });

      it('are not changed if somebody else has changed them', async () => {
        const api = open();
        await writeSecret(cluster, name, { file: 'first' });
        const path = `/api/v1/namespaces/kube-system/secrets/${name}`;
        const { metadata } = (await send(cluster, 'GET', path)).body;
        await writeSecret(cluster, name, { file: 'theirs' });
        const patch = { metadata: { resourceVersion: versionOf(metadata) }, data: { file: '' } };

        const refused = await send(cluster, 'PATCH', path, patch, 'application/merge-patch+json');

        assert.equal(refused.status, 409);
        assert.deepEqual(await api.readSecret('kube-system', name), { file: 'theirs', other: 'stays' });
      });

      it('are null without the secret, which is not created', async () => {
        const api = open();

        assert.equal(await api.readSecret('kube-system', 'missing'), null);
        assert.equal(await api.changeSecret('kube-system', 'missing', () => ({ file: 'new' })), false);
      });
    });

    it('annotates the pods of a workload once', async () => {
      const api = open();
      const name = 'restarted';
      const template = {
        metadata: { labels: { app: name } },
        spec: { containers: [{ name: 'main', image: 'registry.example/app:1' }] },
      };
      const workload = {
        apiVersion: 'apps/v1',
        kind: 'Deployment',
        metadata: { name },
        spec: { replicas: 1, selector: { matchLabels: { app: name } }, template },
      };
      await createWorkload(cluster, workload);
      const annotate = (value: string, to = name) =>
        api.annotatePods(
          { kind: 'Deployment', namespace: 'kube-system', name: to },
          { 'gateway/example': value },
        );
      const isAvailableAt = async (observedGeneration: number) => {
        const pods = { replicas: 1, readyReplicas: 1, updatedReplicas: 1, availableReplicas: 1 };
        await setWorkloadStatus(cluster, workload, { ...pods, observedGeneration });
        const found = await api.listWorkloads('Deployment', 'kube-system');
        return found.some((one) => one.name === name && isAvailable(one));
      };
      assert.equal(await isAvailableAt(1), true);

      assert.equal(await annotate('one'), true);
      assert.deepEqual(await podAnnotationsOf(cluster, workload), { 'gateway/example': 'one' });
      assert.equal(await isAvailableAt(1), false);
      assert.equal(await isAvailableAt(2), true);

      assert.equal(await annotate('one'), true);
      assert.equal(await isAvailableAt(2), true);
      assert.equal(await annotate('one', 'missing'), false);
    });

    it('reports since when a node waits for its cloud controller', async () => {
      const [, node] = cluster.nodes;
      const api = open();
      const key = 'node.cloudprovider.kubernetes.io/uninitialized';
      await setTaints(cluster, node, [{ key, value: 'true', effect: 'NoSchedule' }]);

      const { uninitializedSince } = (await api.getNode(node)) ?? assert.fail();

      assert.ok(uninitializedSince !== null && Math.abs(Date.now() - uninitializedSince) < 600_000);
      await setTaints(cluster, node, []);
      assert.equal((await api.getNode(node))?.uninitializedSince, null);
    });

    it('reports the GPUs that a device plugin offers', async () => {
      const [, node] = cluster.nodes;
      const api = open();
      const offer = async (gpus: string | null) => {
        const resources = { 'nvidia.com/gpu': gpus };
        const status = { capacity: resources, allocatable: resources };
        const path = `/api/v1/nodes/${node}/status`;
        const answer = await send(cluster, 'PATCH', path, { status }, 'application/merge-patch+json');
        assert.equal(answer.status, 200, JSON.stringify(answer.body));
      };
      assert.equal((await api.getNode(node))?.allocatableGpus, 0);

      await offer('2');

      assert.equal((await api.getNode(node))?.allocatableGpus, 2);
      const byName = new Map((await api.listNodes()).map((one) => [one.name, one.allocatableGpus]));
      assert.deepEqual([byName.get(node), byName.get(cluster.nodes[0])], [2, 0]);
      await offer(null);
      assert.equal((await api.getNode(node))?.allocatableGpus, 0);
    });

    describe('a pod that runs once', () => {
      const namespace = 'kube-system';
      const pod = (node: string) => ({
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: { name: 'once-0', namespace, annotations: { 'gateway/job': 'job-1' } },
        spec: {
          nodeName: node,
          restartPolicy: 'Never',
          automountServiceAccountToken: false,
          hostPID: true,
          tolerations: [{ operator: 'Exists' }],
          containers: [
            {
              name: 'main',
              image: 'registry.example/app:1',
              command: ['true', 'a $(b) $$'],
              securityContext: { privileged: true },
              terminationMessagePolicy: 'FallbackToLogsOnError',
            },
          ],
        },
      });

      it('is created once, and reports how it ended', async () => {
        const api = open();
        assert.equal(await api.getPod(namespace, 'once-0'), null);

        await api.createPod(pod(cluster.nodes[0]));
        await api.createPod(pod(cluster.nodes[1]));

        const created = await api.getPod(namespace, 'once-0');
        assert.deepEqual([created?.phase, created?.annotations], ['running', { 'gateway/job': 'job-1' }]);
        const terminated = { exitCode: 1, message: 'the reason\n', reason: 'Error' };
        const container = { name: 'main', image: 'a', imageID: '', restartCount: 0, ready: false };
        const ended = await eventually(async () => {
          // The tool's kubelet reports the pod as running first.
          const containerStatuses = [{ ...container, state: { running: null, terminated } }];
          await setPodStatus(cluster, 'once', { phase: 'Failed', containerStatuses });
          const run = await api.getPod(namespace, 'once-0');
          return run?.phase === 'failed' ? run : undefined;
        });
        assert.deepEqual([ended.exitCode, ended.message], [1, 'the reason\n']);
      });

      it('is deleted at once', async () => {
        const api = open();

        await api.deletePod(namespace, 'once-0');
        await api.deletePod(namespace, 'once-0');

        await eventually(async () => (await api.getPod(namespace, 'once-0')) === null);
      });
    });

    describe('the removal of a node', () => {
      it('evicts the pods that would be lost, and no others', async () => {
        const [, node, other] = cluster.nodes;
        await createPod(cluster, node, 'web');
        await createPod(cluster, node, 'of-a-deployment', { owner: 'ReplicaSet' });
        await createPod(cluster, node, 'of-a-daemon-set', { owner: 'DaemonSet' });
        await createPod(cluster, node, 'mirror', { annotations: { 'kubernetes.io/config.mirror': 'x' } });
        await createPod(cluster, other, 'elsewhere');
        const api = open();

        const { pods, ...counts } = await api.evictPods(node);
        assert.deepEqual(counts, { remaining: 2, blocked: 0 });
        assert.deepEqual(pods.sort(), ['default/of-a-deployment', 'default/web']);
        await eventually(async () => (await api.evictPods(node)).remaining === 0);

        assert.equal(await isRunning(cluster, 'web'), false);
        assert.equal(await isRunning(cluster, 'of-a-deployment'), false);
        assert.equal(await isRunning(cluster, 'of-a-daemon-set'), true);
        assert.equal(await isRunning(cluster, 'mirror'), true);
        assert.equal(await isRunning(cluster, 'elsewhere'), true);
      });

      it('cordons and drains a node', async () => {
        const [, node] = cluster.nodes;
        await createPod(cluster, node, 'drained');
        const api = open();

        assert.equal(await api.drain(node, Date.now() + 30_000, JOB), true);

        assert.equal((await api.getNode(node))?.unschedulable, true);
        assert.equal(await isRunning(cluster, 'drained'), false);
      });

      it('waits for protected pods, and reports those left at the deadline', async () => {
        const [, node] = cluster.nodes;
        await createBudget(cluster, 'keep', { app: 'kept' });
        await createPod(cluster, node, 'kept', { labels: { app: 'kept' } });
        const api = open();

        assert.deepEqual(await api.evictPods(node), { remaining: 1, blocked: 1, pods: ['default/kept'] });
        assert.equal(await api.drain(node, Date.now(), JOB), false);
        assert.equal(await isRunning(cluster, 'kept'), true);
        const drained = api.drain(node, Date.now() + 30_000, JOB);
        await removeBudget(cluster, 'keep');
        assert.equal(await drained, true);
      });

      it('waits for pods that take their time to leave', async () => {
        const [, node] = cluster.nodes;
        await createPod(cluster, node, 'slow', { finalizers: ['example.com/hold'] });
        const api = open();

        assert.equal(await api.drain(node, Date.now(), JOB), false);
        assert.deepEqual(await api.evictPods(node), { remaining: 1, blocked: 0, pods: ['default/slow'] });
        await release(cluster, 'slow');
        await eventually(async () => (await api.evictPods(node)).remaining === 0);
      });

      it('spares a new pod of the same name', async () => {
        const [, , node] = cluster.nodes;
        await createPod(cluster, node, 'renewed');
        const eviction = (uid: string) =>
          send(cluster, 'POST', '/api/v1/namespaces/default/pods/renewed/eviction', {
            apiVersion: 'policy/v1',
            kind: 'Eviction',
            metadata: { name: 'renewed', namespace: 'default' },
            deleteOptions: { preconditions: { uid } },
          });

        assert.equal((await eviction('11111111-1111-1111-1111-111111111111')).status, 409);
        assert.equal(await isRunning(cluster, 'renewed'), true);
      });

      it('uncordons a node that a job has cordoned, and no other', async () => {
        const [, , node] = cluster.nodes;
        const api = open();

        assert.equal((await api.cordonFor(node, 'job-1'))?.unschedulable, false);
        assert.equal((await api.cordonFor(node, 'job-2'))?.cordonedBy, 'job-1');
        const cordoned = await api.getNode(node);
        assert.deepEqual([cordoned?.unschedulable, cordoned?.cordonedBy], [true, 'job-2']);
        await api.uncordonMarked(node, 'job-1');
        assert.equal((await api.getNode(node))?.cordonedBy, 'job-2');
        await api.uncordonMarked(node, 'job-2');

        const uncordoned = await api.getNode(node);
        assert.deepEqual([uncordoned?.unschedulable, uncordoned?.cordonedBy], [false, null]);
        const path = `/api/v1/nodes/${node}`;
        const cordon = { spec: { unschedulable: true } };
        await send(cluster, 'PATCH', path, cordon, 'application/merge-patch+json');
        await api.cordonFor(node, 'job-1');
        await api.uncordonMarked(node, 'job-1');
        const kept = await api.getNode(node);
        assert.deepEqual([kept?.unschedulable, kept?.cordonedBy], [true, null]);
        assert.equal(await api.cordonFor('missing', 'job-1'), null);
      });

      it('deletes the object of a node, and accepts that there is none', async () => {
        const [, node] = cluster.nodes;
        const api = open();

        await api.deleteNode(node);
        await api.deleteNode(node);

        assert.equal(await api.getNode(node), null);
        assert.equal(await api.cordonFor(node, JOB), null);
        assert.equal(await api.drain(node, Date.now(), JOB), true);
        const names = (await api.listNodes()).map(({ name }) => name);
        assert.equal(names.includes(node), false);
      });
    });

    describe('the objects of plugins', () => {
      it('refuse other parameters of a storage class', async () => {
        const ofType = (type: string) => ({
          apiVersion: 'storage.k8s.io/v1',
          kind: 'StorageClass',
          metadata: { name: 'fixed' },
          provisioner: 'cinder.csi.openstack.org',
          parameters: { type },
        });
        const api = open();

        await api.apply(ofType('ssd'));
        await api.apply(ofType('ssd'));
        await assert.rejects(api.apply(ofType('hdd')), {
          upstreamStatus: 422,
          reason: /"fixed" is invalid: parameters: Invalid value: \{"type":"hdd"\}: field is immutable/,
        });
      });

      it('are applied, again and with other values', async () => {
        const api = open();
        const all = pluginObjects(pluginSettings()).flatMap(({ objects }) => objects);
        const applied = all.filter(({ kind }) => kind !== 'Job');

        // The server does not know a custom resource at once.
        const isApplied = (object: (typeof applied)[number]) => api.apply(object).then(() => true);
        for (const object of applied) await eventually(() => isApplied(object));
        for (const object of applied) await api.apply(object);

        const [secret] = applied.filter(({ kind }) => kind === 'Secret');
        assert.ok(secret);
        await api.apply({ ...secret, data: { 'cloud.conf': 'bmV3' } } as typeof secret);
        const path = `/api/v1/namespaces/kube-system/secrets/${secret.metadata.name}`;
        const { body } = await send(cluster, 'GET', path);
        assert.equal((body as { data?: Record<string, string> }).data?.['cloud.conf'], 'bmV3');
      });
    });
  });
}

function versionOf(metadata: object | undefined): string {
  return (metadata as { resourceVersion?: string }).resourceVersion ?? '';
}

function isKubernetesError(kind: string, upstreamStatus: number | null = null) {
  return (error: unknown) =>
    error instanceof KubernetesError && error.kind === kind && error.upstreamStatus === upstreamStatus;
}
