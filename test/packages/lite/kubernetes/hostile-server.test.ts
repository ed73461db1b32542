import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:net';
import { promisify } from 'node:util';
import { type ClusterConnection, checkCluster, KubernetesApi, KubernetesError } from '@gateway/lite';
import { listenLocally, stopListening } from '../../../support/doubles/local-server.ts';
import { eventually } from '../../../support/eventually.ts';
import { type HostileServer, hostileServer } from '../../../support/kubernetes/hostile-server.ts';

const run = promisify(execFile);
/** For what never ends. */
const IMPATIENT_MS = 1_500;
/** Nothing else may fail because the machine is slow. */
const PATIENT_MS = 30_000;

describe('the Kubernetes client, when a server is hostile', function () {
  this.timeout(PATIENT_MS);
  let server: HostileServer;
  let api: KubernetesApi;
  let answer: (request: IncomingMessage, response: ServerResponse) => void;

  before(async () => {
    server = await hostileServer((request, response) => answer(request, response));
  });
  after(() => server.close());
  beforeEach(() => {
    api = open();
  });
  afterEach(() => api.close());

  function open(change: Partial<ClusterConnection> = {}): KubernetesApi {
    const credentials = { ca: server.ca, token: 'secret' };
    return new KubernetesApi({ server: server.url, credentials, requestTimeoutMs: PATIENT_MS, ...change });
  }

  const impatient = { requestTimeoutMs: IMPATIENT_MS };

  function answerJson(body: unknown, status = 200): void {
    answer = (_request, response) => {
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(typeof body === 'string' ? body : JSON.stringify(body));
    };
  }

  async function failureOf(call: Promise<unknown>): Promise<KubernetesError> {
    try {
      await call;
    } catch (error) {
      assert.ok(error instanceof KubernetesError, String(error));
      return error;
    }
    return assert.fail('The call succeeded.');
  }

  it('is not contacted in forbidden networks, whatever the notation', async () => {
    answerJson({});
    const { port } = new URL(server.url);
    const loopback = ['127.0.0.0/8', '::/96'];
    const hosts = [
      '127.0.0.1',
      'localhost',
      '[::1]',
      '[::ffff:127.0.0.1]',
      '[::ffff:7f00:1]',
      '2130706433',
      '0x7f.1',
    ];
    for (const host of hosts) {
      const refused = open({ server: `https://${host}:${port}`, neverContacted: loopback });
      const error = await failureOf(refused.healthz());
      assert.deepEqual([error.kind, error.isConnected], ['unreachable', false], host);
      assert.match(error.reason, /never contacted/, host);
      refused.close();
    }
    assert.equal(server.connections(), 0);
    const allowed = open({ neverContacted: ['169.254.0.0/16', 'fe80::/10'] });
    await allowed.healthz();
    allowed.close();
  });

  it('ends a request without a response, and reports the connection', async () => {
    api = open(impatient);
    answer = () => {};

    const error = await failureOf(api.healthz());

    assert.deepEqual([error.kind, error.isConnected], ['unreachable', true]);
    await eventually(async () => server.connections() === 0);
  });

  it('counts a server that hangs after its handshake as reachable', async () => {
    api = open(impatient);
    const paths: (string | undefined)[] = [];
    answer = (request) => paths.push(request.url);

    const facts = await checkCluster(api);

    const problem = `no response within ${IMPATIENT_MS} ms`;
    const isCertificateExpired = false;
    assert.deepEqual(facts, {
      reachable: true,
      healthzOk: false,
      nodes: [],
      workloads: null,
      problem,
      isCertificateExpired,
    });
    assert.deepEqual(paths, ['/healthz']);
  });

  it('ends a request whose body never ends', async () => {
    api = open(impatient);
    answer = (_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      const timer = setInterval(() => response.write(' '), 20);
      response.on('close', () => clearInterval(timer));
    };

    const error = await failureOf(api.listNodes());

    assert.equal(error.reason, `no response within ${IMPATIENT_MS} ms`);
    await eventually(async () => server.connections() === 0);
  });

  it('ends a request whose headers never end', async () => {
    api = open(impatient);
    answer = (request) => {
      request.socket.write('HTTP/1.1 200 OK\r\n');
      const timer = setInterval(() => request.socket.write('x: y\r\n'), 20);
      request.socket.on('close', () => clearInterval(timer));
    };

    assert.equal((await failureOf(api.healthz())).kind, 'unreachable');
  });

  it('reads no more than its limit', async () => {
    let written = 0;
    answer = (_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      const chunk = Buffer.alloc(2 ** 16, ' ');
      const more = () => {
        while (!response.destroyed && response.write(chunk)) written += chunk.length;
      };
      response.on('drain', more);
      more();
    };

    const error = await failureOf(api.listNodes());

    assert.deepEqual([error.kind, error.reason], ['invalid', 'more than 4194304 bytes']);
    assert.ok(written < 64 * 2 ** 20);
    await eventually(async () => server.connections() === 0);
  });

  it('reads half a million objects without names as no nodes', async () => {
    answerJson(`{"items":[${'{},'.repeat(500_000)}{}]}`);

    assert.deepEqual(await api.listNodes(), []);
  });

  const unusable: [string, unknown][] = [
    ['broken JSON', '{"items": ['],
    ['a number', 5],
    ['null', 'null'],
    ['items that are no list', { items: { length: 5 } }],
    ['text for items', { items: 'nodes' }],
    ['a null among the items', { items: [null] }],
    ['a nesting that exhausts the stack', '['.repeat(1_000_000)],
  ];
  for (const [what, body] of unusable) {
    it(`takes ${what} for no nodes, or an unusable response`, async () => {
      answerJson(body);

      const outcome = await api.listNodes().catch((error: unknown) => error);

      if (outcome instanceof KubernetesError) assert.equal(outcome.kind, 'invalid');
      else assert.deepEqual(outcome, []);
    });
  }

  it('reads only shortened names and texts from nodes of unexpected types', async () => {
    answerJson({
      items: [
        null,
        5,
        { metadata: null },
        { metadata: { name: 5 } },
        { metadata: { name: 'x'.repeat(10_000), labels: 'y' }, status: { conditions: 'Ready', nodeInfo: 7 } },
        {
          metadata: { name: 'b' },
          status: { conditions: [null, { type: 'Ready', status: true }] },
          spec: 'no',
        },
        {
          metadata: { name: 'a', labels: { 'node-role.kubernetes.io/master': '' } },
          status: {
            conditions: [
              { type: 'Ready', status: 'True' },
              { type: 'DiskPressure', status: 'True' },
              { type: 'EtcdIsVoter', status: 'True' },
            ],
            nodeInfo: { kubeletVersion: { a: 1 } },
            allocatable: { 'nvidia.com/gpu': '-1e9' },
          },
        },
      ],
    });

    const nodes = await api.listNodes();

    const fine = {
      kubeletVersion: '',
      allocatableGpus: 0,
      unschedulable: false,
      cordonedBy: null,
      uninitializedSince: null,
    };
    const notReady = { role: 'agent', ready: false, conditions: ['NotReady'], ...fine };
    assert.deepEqual(nodes, [
      { name: 'a', role: 'server', ready: true, conditions: ['DiskPressure'], ...fine },
      { name: 'b', ...notReady },
      { name: 'x'.repeat(253), ...notReady },
    ]);
  });

  it('reads workloads and pods of unexpected types as far as possible', async () => {
    answerJson({
      items: [
        { metadata: 5, spec: null, status: [] },
        {
          metadata: { name: 'a', generation: 'x' },
          spec: { replicas: -1 },
          status: { conditions: [null, 5] },
        },
        {
          metadata: { name: 'b', labels: 7, creationTimestamp: 'yesterday' },
          spec: 'no',
          status: { containerStatuses: [null, { state: 5 }, { state: { waiting: null, terminated: 7 } }] },
        },
      ],
    });

    const workloads = await api.listWorkloads('Deployment', 'kube-system');
    const pods = await api.listPods('kube-system', ['a']);

    const nothing = { isCurrent: true, desired: 1, available: 0, problem: null };
    assert.deepEqual(workloads, [
      { kind: 'Deployment', name: 'a', ...nothing },
      { kind: 'Deployment', name: 'b', ...nothing },
    ]);
    assert.deepEqual(
      pods.map(({ problem }) => problem?.kind),
      ['starting', 'starting', undefined],
    );
  });

  it('ignores a pod without names, and rejects other types', async () => {
    answerJson({ items: [{ metadata: { name: 'a' } }, { metadata: null }] });
    assert.deepEqual(await api.evictPods('node'), { remaining: 0, blocked: 0, pods: [] });

    answerJson({ items: [null] });
    assert.equal((await failureOf(api.evictPods('node'))).kind, 'invalid');
  });

  it('evicts a pod only if it is the one that was listed', async () => {
    const metadata = { name: 'web', namespace: 'shop', uid: 'uid-1' };
    const bodies: unknown[] = [];
    answer = async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk);
      const isEviction = request.url === '/api/v1/namespaces/shop/pods/web/eviction';
      if (isEviction) bodies.push(JSON.parse(Buffer.concat(chunks).toString()));
      response.writeHead(isEviction ? 201 : 200, { 'content-type': 'application/json' });
      response.end(JSON.stringify(isEviction ? {} : { items: [{ metadata }] }));
    };

    await api.evictPods('node');

    assert.deepEqual(bodies, [
      {
        apiVersion: 'policy/v1',
        kind: 'Eviction',
        metadata: { name: 'web', namespace: 'shop' },
        deleteOptions: { preconditions: { uid: 'uid-1' } },
      },
    ]);
  });

  it('follows no redirect', async () => {
    const paths: (string | undefined)[] = [];
    answer = (request, response) => {
      paths.push(request.url);
      response.writeHead(302, { location: `${server.url}/elsewhere` }).end();
    };

    const error = await failureOf(api.listNodes());

    assert.deepEqual([error.kind, error.upstreamStatus], ['status', 302]);
    assert.deepEqual(paths, ['/api/v1/nodes']);
  });

  it("keeps the server's texts out of messages, and short in logs", async () => {
    answerJson({ reason: 'Bad', message: `\u001b[2J\n${'long '.repeat(10_000)}` }, 500);

    const error = await failureOf(api.listNodes());

    assert.equal(error.message, 'The API server of the cluster failed to handle the request.');
    assert.match(error.reason, /^500 Bad: \\u001b\[2J\\u000along /);
    assert.ok(error.reason.length < 300);
  });

  it('stops evicting at the deadline', async () => {
    const metadata = (name: number) => ({ name: String(name), namespace: 'default', uid: String(name) });
    const items = Array.from({ length: 1_000 }, (_, at) => ({ metadata: metadata(at) }));
    let evictions = 0;
    answer = (request, response) => {
      const isEviction = request.method === 'POST';
      if (isEviction) evictions += 1;
      const send = () => {
        response.writeHead(isEviction ? 201 : 200, { 'content-type': 'application/json' });
        response.end(JSON.stringify(isEviction ? {} : { metadata: { name: 'node' }, items }));
      };
      setTimeout(send, isEviction ? 50 : 0);
    };

    assert.equal(await api.drain('node', Date.now() + 1_500, 'job-1'), false);

    assert.ok(evictions > 0 && evictions < 1_000);
  });

  it('ends a request to a server that never shakes hands', async () => {
    const silent = createServer();
    const one = open({ ...impatient, server: `https://127.0.0.1:${await listenLocally(silent)}` });
    try {
      const error = await failureOf(one.healthz());
      assert.deepEqual([error.kind, error.isConnected], ['unreachable', false]);
    } finally {
      await stopListening(silent);
    }
  });

  it('ends a request to an address that does not respond at all', async () => {
    // An address for documentation, which no network routes.
    const error = await failureOf(open({ ...impatient, server: 'https://192.0.2.1:6443' }).healthz());

    assert.deepEqual([error.kind, error.isConnected], ['unreachable', false]);
  });

  it('uses no proxy that the environment names', async () => {
    let proxied = 0;
    const proxy = createServer((socket) => {
      proxied += 1;
      socket.destroy();
    });
    const proxyUrl = `http://127.0.0.1:${await listenLocally(proxy)}`;
    answerJson({ items: [] });
    const script = `
      const { KubernetesApi } = await import('@gateway/lite');
      const { SERVER: server, CA: ca } = process.env;
      const api = new KubernetesApi({ server, credentials: { ca, token: 'x' }, requestTimeoutMs: 20_000 });
      console.log(await api.healthz(), (await api.listNodes()).length);
      api.close();`;
    const variables = ['HTTPS_PROXY', 'https_proxy', 'HTTP_PROXY', 'http_proxy', 'ALL_PROXY', 'all_proxy'];
    try {
      const { stdout } = await run(process.execPath, ['--input-type=module', '-e', script], {
        cwd: import.meta.dirname,
        env: {
          ...process.env,
          ...Object.fromEntries(variables.map((name) => [name, proxyUrl])),
          NODE_USE_ENV_PROXY: '1',
          NO_PROXY: '',
          no_proxy: '',
          SERVER: server.url,
          CA: server.ca,
        },
      });

      assert.equal(stdout.trim(), 'true 0');
      assert.equal(proxied, 0);
    } finally {
      await stopListening(proxy);
    }
  });

  it('reports credentials that are no PEM as unreachable, not as a fault', async () => {
    const error = await failureOf(
      open({ credentials: { ca: 'no', clientCertificate: 'no', clientKey: 'no' } }).healthz(),
    );

    assert.equal(error.kind, 'unreachable');
  });
});
