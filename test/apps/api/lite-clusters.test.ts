import assert from 'node:assert/strict';
import { readQueued } from '@gateway/jobs';
import type { LiteCluster } from '@gateway/lite';
import { parse } from 'yaml';
import type { ErrorBody } from '../../support/api/client.ts';
import { computeAnswers } from '../../support/api/compute.ts';
import { newCaller, type TestCaller } from '../../support/api/factories.ts';
import { claimJob } from '../../support/api/jobs.ts';
import { answers as balancerAnswers, balancerOf } from '../../support/api/load-balancing.ts';
import { networkAnswers } from '../../support/api/network.ts';
import { apiSuite, type TestApi } from '../../support/api/suite.ts';
import { newKubeconfig } from '../../support/kubernetes/kubeconfig.ts';

const settings = {
  public_endpoint: { url: 'https://gateway.example.org' },
  lite: { image: 'debian-12', server_flavor: 'm1.small', agent_flavor: 'm1.tiny' },
};
const path = '/api/lite/clusters';

interface ClusterBody {
  id: string;
  name: string;
  status: string;
  [field: string]: unknown;
}

/** Requests a creation; returns the ids of its job and its cluster. */
async function create(
  api: TestApi,
  as: TestCaller,
  body: object = {},
  headers: Record<string, string> = {},
): Promise<{ jobId: string; clusterId: string; resourceId: string | null }> {
  const stream = await api.stream('POST', `${path}/async`, { as, body: { name: 'web', ...body }, headers });
  stream.close();
  const jobId = String(stream.headers.get('x-job-id'));
  const queued = await readQueued(api.context.redis.store, jobId);
  const { clusterId } = (queued?.payload ?? {}) as { clusterId: string };
  return { jobId, clusterId, resourceId: stream.headers.get('x-resource-id') };
}

/** Brings the cluster of a creation into another state, as its jobs do. */
async function change(
  api: TestApi,
  clusterId: string,
  to: Parameters<TestApi['context']['liteClusters']['update']>[1],
) {
  const cluster = (await api.context.liteClusters.read(clusterId)) as LiteCluster;
  assert.ok(await api.context.liteClusters.update(cluster, to, ['CREATING', 'ACTIVE', 'ERROR']));
  return cluster;
}

describe('POST /api/lite/clusters/async', () => {
  const suite = apiSuite();

  it('names its cluster in a header, as its events do later', async () => {
    const api = await suite.start({ settings });
    const caller = suite.cloud.validCaller(newCaller());

    const { jobId, clusterId, resourceId } = await create(api, caller);
    const events = await api.request('HEAD', `/api/jobs/${jobId}/events`, { as: caller });

    assert.deepEqual([resourceId, events.headers['x-resource-id']], [clusterId, clusterId]);
  });

  it('streams a job whose cluster is listed from the start', async () => {
    const api = await suite.start({ settings });
    const caller = suite.cloud.validCaller(newCaller());

    const { jobId, clusterId } = await create(api, caller, {
      agent_count: 3,
      key_name: 'key',
      network_id: 'net',
    });

    const { body } = await api.get<ClusterBody[]>(path, { as: caller });
    assert.equal(body.length, 1);
    const { created_at, updated_at, ...cluster } = body[0] as ClusterBody;
    assert.deepEqual(cluster, {
      id: clusterId,
      name: 'web',
      status: 'CREATING',
      status_reason: null,
      server_vm_id: null,
      server_vm_name: null,
      agent_vm_ids: [],
      agent_vm_names: [],
      agent_count: 0,
      api_address: null,
      server_ip: null,
      network_id: 'net',
      network_name: null,
      key_name: 'key',
      k3s_version: null,
      deleted_at: null,
      health_status: null,
      plugin_status: null,
      plugin_messages: null,
      upgrade: null,
      managed_by: { type: 'job', id: jobId },
      allowed_actions: ['delete'],
    });
    assert.equal(created_at, updated_at);
    assert.deepEqual((await api.get<ClusterBody>(`${path}/${clusterId}`, { as: caller })).body, body[0]);
    const queued = await readQueued(api.context.redis.store, jobId);
    assert.deepEqual(queued?.payload, {
      clusterId,
      name: 'web',
      agentCount: 3,
      agentFlavor: 'm1.tiny',
      networkId: 'net',
      keyName: 'key',
      roles: caller.roles,
    });
  });

  it('is 409 for a name in use until that cluster is deleted', async () => {
    const api = await suite.start({ settings });
    const caller = suite.cloud.validCaller(newCaller());
    const other = suite.cloud.validCaller(newCaller({ projectId: 'another-project' }));
    const { clusterId } = await create(api, caller);

    const refused = await api.post<ErrorBody>(`${path}/async`, { as: caller, body: { name: 'web' } });

    assert.deepEqual([refused.status, refused.body.code], [409, 'conflict']);
    await create(api, other);
    await change(api, clusterId, { status: 'ERROR' });
    assert.equal((await api.post(`${path}/async`, { as: caller, body: { name: 'web' } })).status, 409);
    await change(api, clusterId, { status: 'DELETED' });
    assert.notEqual((await create(api, caller)).clusterId, clusterId);
  });

  it('is 409 for a name that results in duplicate node names', async () => {
    const api = await suite.start({ settings: { ...settings, rate_limits: { lite_create: 0 } } });
    const caller = suite.cloud.validCaller(newCaller());
    const { clusterId } = await create(api, caller, { name: 'My_Web' });

    for (const name of ['my-web', 'MY_WEB', 'my_web-', 'My-web_']) {
      const refused = await api.post<ErrorBody>(`${path}/async`, { as: caller, body: { name } });

      assert.deepEqual([refused.status, refused.body.code], [409, 'conflict'], name);
      assert.equal(
        refused.body.detail,
        'The nodes would have the same names as those of the project\'s cluster "My_Web".',
      );
    }
    await create(api, caller, { name: 'my-web-2' });
    await change(api, clusterId, { status: 'DELETED' });
    await create(api, caller, { name: 'my-web' });
  });

  it('are 404 for ids that the store has under other keys', async () => {
    const api = await suite.start({ settings: { ...settings, rate_limits: { lite_health_check: 0 } } });
    const caller = suite.cloud.validCaller(newCaller());
    await create(api, caller);
    const { clusterId } = await create(api, caller, { name: 'gone' });
    await change(api, clusterId, { status: 'DELETED' });

    for (const id of ['open', 'removing', 'names', 'of', 'cluster', 'checking']) {
      for (const [method, end, body] of [
        ['GET', ''],
        ['DELETE', ''],
        ['GET', '/kubeconfig'],
        ['GET', '/health'],
        ['POST', '/health/check'],
        ['PATCH', '/scale', { agent_count: 1 }],
      ] as const) {
        const answer = await api.request<ErrorBody>(method, `${path}/${id}${end}`, { as: caller, body });
        const code = end === '' && id !== 'of' ? 'route_not_found' : 'not_found';
        assert.deepEqual([answer.status, answer.body.code], [404, code], `${method} ${id}${end}`);
      }
    }
  });

  it('joins the same creation with the same Idempotency-Key', async () => {
    const api = await suite.start({ settings });
    const caller = suite.cloud.validCaller(newCaller());
    const headers = { 'idempotency-key': 'cluster-1' };
    const first = await create(api, caller, {}, headers);

    assert.deepEqual(await create(api, caller, {}, headers), first);
    assert.equal((await api.get<ClusterBody[]>(path, { as: caller })).body.length, 1);
  });

  it('leaves no cluster behind if the job is refused', async () => {
    const api = await suite.start({ settings: { ...settings, jobs: { project_waiting_limit: 1 } } });
    const caller = suite.cloud.validCaller(newCaller());
    await create(api, caller);

    const refused = await api.post(`${path}/async`, { as: caller, body: { name: 'second' } });

    assert.equal(refused.status, 429);
    const { body } = await api.get<ClusterBody[]>(path, { as: caller });
    assert.deepEqual(
      body.map(({ name }) => name),
      ['web'],
    );
  });

  for (const [what, body, status, code, field] of [
    ['a flavor that is not there', { agent_flavor_id: 'none' }, 400, 'invalid_input', 'body.agent_flavor_id'],
    ['a key pair that is not there', { key_name: 'none' }, 400, 'invalid_input', 'body.key_name'],
    ['no network where several exist', {}, 400, 'network_required', 'body.network_id'],
    ['a full quota', { agent_count: 3 }, 409, 'quota_exceeded', undefined],
  ] as const) {
    it(`is refused before its job, without a record, for ${what}`, async () => {
      const api = await suite.start({ settings });
      const caller = suite.cloud.validCaller(newCaller());
      if ('key_name' in body)
        computeAnswers(
          suite.cloud,
          'GET /os-keypairs/none',
          { itemNotFound: { message: 'No.' } },
          { status: 404 },
        );
      if (code === 'network_required') {
        const networks = ['a', 'b'].map((id) => ({ id, subnets: ['s'] }));
        suite.cloud.reply('network/networks', {
          path: /^\/v2\.0\/networks\?project_id=/,
          body: { networks },
        });
      }
      if (status === 409) {
        const absolute = { maxTotalInstances: 5, totalInstancesUsed: 2 };
        computeAnswers(suite.cloud, 'GET /limits', { limits: { absolute } });
      }

      const refused = await api.post<ErrorBody>(`${path}/async`, {
        as: caller,
        body: { name: 'web', ...body },
      });

      assert.deepEqual(
        [refused.status, refused.body.code, refused.body.errors?.[0]?.field],
        [status, code, field],
      );
      assert.deepEqual((await api.get(path, { as: caller })).body, []);
    });
  }

  it('is refused before its job for a full quota of security rules', async () => {
    const allowed_from = { api: ['198.51.100.0/24', '203.0.113.0/24'] };
    const api = await suite.start({ settings: { ...settings, lite: { ...settings.lite, allowed_from } } });
    const caller = suite.cloud.validCaller(newCaller());
    // Two rules that every group has, two for the nodes, and two for the API server.
    const quota = { security_group_rule: { limit: 100, used: 95, reserved: 0 } };
    networkAnswers(suite.cloud, `GET /quotas/${caller.projectId}/details.json`, { quota });

    const refused = await api.post<ErrorBody>(`${path}/async`, { as: caller, body: { name: 'web' } });

    assert.deepEqual([refused.status, refused.body.code], [409, 'quota_exceeded']);
    assert.match(refused.body.detail, /security group rules/);
  });

  it('is 409 for the name of another Kubernetes cluster with load balancers', async () => {
    const lite = { ...settings.lite, plugins: { lb_ingress_enabled: true } };
    const api = await suite.start({ settings: { ...settings, lite } });
    const caller = suite.cloud.validCaller(newCaller());
    const loadbalancers = [balancerOf(caller, { name: 'kube_service_web_default_shop' })];
    balancerAnswers(suite.cloud, `GET /loadbalancers?project_id=${caller.projectId}`, { loadbalancers });

    const refused = await api.post<ErrorBody>(`${path}/async`, { as: caller, body: { name: 'web' } });

    assert.deepEqual(
      [refused.status, refused.body.reason, refused.body.params],
      [409, 'name_taken', { name: 'web' }],
    );
    assert.deepEqual((await api.get(path, { as: caller })).body, []);
  });

  for (const [what, body, field] of [
    ['no name', {}, 'body.name'],
    ['a name that begins with a hyphen', { name: '-web' }, 'body.name'],
    ['a name with a blank', { name: 'a web' }, 'body.name'],
    ['a name of 64 characters', { name: 'a'.repeat(64) }, 'body.name'],
    ['too many agents', { name: 'web', agent_count: 11 }, 'body.agent_count'],
    ['a negative number of agents', { name: 'web', agent_count: -1 }, 'body.agent_count'],
    ['a number of agents as text', { name: 'web', agent_count: '1' }, 'body.agent_count'],
    ['a flavor that is no id', { name: 'web', agent_flavor_id: 'a/b' }, 'body.agent_flavor_id'],
  ] as const) {
    it(`is 400 for ${what}`, async () => {
      const api = await suite.start({ settings });
      const caller = suite.cloud.validCaller(newCaller());

      const answer = await api.post<ErrorBody>(`${path}/async`, { as: caller, body });

      assert.deepEqual([answer.status, answer.body.errors?.[0]?.field], [400, field]);
    });
  }

  it('is 400 without a flavor of agents and a default', async () => {
    const { agent_flavor: _, ...lite } = settings.lite;
    const api = await suite.start({ settings: { ...settings, lite } });
    const caller = suite.cloud.validCaller(newCaller());

    const answer = await api.post<ErrorBody>(`${path}/async`, { as: caller, body: { name: 'web' } });

    assert.deepEqual([answer.status, answer.body.errors?.[0]?.field], [400, 'body.agent_flavor_id']);
  });

  it('is 503 and names what is missing if clusters are not configured', async () => {
    const api = await suite.start({ settings: { lite: { image: 'debian-12' } } });
    const caller = suite.cloud.validCaller(newCaller());

    const answer = await api.post<ErrorBody>(`${path}/async`, { as: caller, body: { name: 'web' } });

    assert.deepEqual([answer.status, answer.body.code], [503, 'lite_not_configured']);
    assert.match(answer.body.detail, /lite\.server_flavor, public_endpoint\.url\.$/);
  });

  it('is 404 if clusters are disabled', async () => {
    const api = await suite.start({ settings: { ...settings, services: { lite: false } } });

    assert.equal((await api.post(`${path}/async`)).status, 404);
  });
});

describe('clusters', () => {
  const suite = apiSuite();

  it('are listed with deleted ones only on request', async () => {
    const api = await suite.start({ settings });
    const caller = suite.cloud.validCaller(newCaller());
    const { clusterId } = await create(api, caller);
    await change(api, clusterId, { status: 'DELETED', deletedAt: Date.parse('2026-01-02T03:04:05Z') });

    assert.deepEqual((await api.get(path, { as: caller })).body, []);
    const { body } = await api.get<ClusterBody[]>(`${path}?include_deleted=true`, { as: caller });
    assert.deepEqual(
      body.map(({ id, status, deleted_at }) => [id, status, deleted_at]),
      [[clusterId, 'DELETED', '2026-01-02T03:04:05Z']],
    );
    assert.equal((await api.get(`${path}/${clusterId}`, { as: caller })).status, 200);
    assert.equal((await api.get(`${path}?include_deleted=maybe`, { as: caller })).status, 400);
  });

  it('of another project are 404', async () => {
    const api = await suite.start({ settings });
    const { clusterId } = await create(api, suite.cloud.validCaller(newCaller()));
    const other = suite.cloud.validCaller(newCaller({ projectId: 'another-project' }));

    assert.deepEqual((await api.get(path, { as: other })).body, []);
    for (const one of [`${path}/${clusterId}`, `${path}/${clusterId}/kubeconfig`]) {
      const answer = await api.get<ErrorBody>(one, { as: other });
      assert.deepEqual([answer.status, answer.body.code], [404, 'not_found'], one);
    }
  });

  it('show their address, their nodes and their plugins', async () => {
    const api = await suite.start({ settings });
    const caller = suite.cloud.validCaller(newCaller());
    const { clusterId } = await create(api, caller);
    await change(api, clusterId, {
      status: 'ACTIVE',
      serverVmId: 'vm-0',
      serverIp: '203.0.113.7',
      agents: [{ number: 1, vmId: 'vm-1', volumeId: 'volume-1' }],
      k3sVersion: 'v1.36.1+k3s1',
      pluginStatus: { block_csi: 'failed' },
      pluginMessages: { block_csi: 'The image cannot be pulled.' },
    });

    const { body } = await api.get<ClusterBody>(`${path}/${clusterId}`, { as: caller });

    assert.deepEqual(
      [body.status, body.server_vm_id, body.agent_vm_ids, body.agent_count, body.api_address, body.server_ip],
      ['ACTIVE', 'vm-0', ['vm-1'], 1, 'https://203.0.113.7:6443', '203.0.113.7'],
    );
    assert.deepEqual([body.k3s_version, body.plugin_status], ['v1.36.1+k3s1', { block_csi: 'failed' }]);
    assert.deepEqual(body.plugin_messages, { block_csi: 'The image cannot be pulled.' });
    assert.equal(body.health_status, 'UNKNOWN');
  });
});

describe('the configuration file of a cluster', () => {
  const suite = apiSuite();

  it('is 404 before ACTIVE and after deletion, and never cached', async () => {
    const api = await suite.start({ settings });
    const caller = suite.cloud.validCaller(newCaller());
    const { clusterId } = await create(api, caller);
    const file = `${path}/${clusterId}/kubeconfig`;
    const head = async () => (await api.request('HEAD', file, { as: caller })).status;
    const cluster = (await api.context.liteClusters.read(clusterId)) as LiteCluster;
    await api.context.liteClusters.putSecrets(cluster, { kubeconfig: 'apiVersion: v1\n' });
    assert.deepEqual([(await api.get(file, { as: caller })).status, await head()], [404, 404]);

    await change(api, clusterId, { status: 'ACTIVE' });

    const answer = await api.get(file, { as: caller });
    assert.deepEqual([answer.status, answer.text, await head()], [200, 'apiVersion: v1\n', 200]);
    assert.equal(answer.headers['content-type'], 'application/octet-stream');
    assert.equal(answer.headers['content-disposition'], 'attachment; filename="web.yaml"');
    assert.equal(answer.headers['cache-control'], 'no-store');
    await change(api, clusterId, { status: 'DELETED' });
    assert.deepEqual([(await api.get(file, { as: caller })).status, await head()], [404, 404]);
  });

  describe('for tokens of the identity service', () => {
    const owner = newCaller({ roles: ['member'] });

    async function withCluster(plugins: object) {
      const api = await suite.start({ settings: { ...settings, lite: { ...settings.lite, plugins } } });
      const caller = suite.cloud.validCaller(owner);
      const { clusterId } = await create(api, caller);
      const cluster = (await api.context.liteClusters.read(clusterId)) as LiteCluster;
      await api.context.liteClusters.putSecrets(cluster, { kubeconfig: await newKubeconfig() });
      await change(api, clusterId, { status: 'ACTIVE' });
      const reader = suite.cloud.validCaller(
        newCaller({ roles: ['reader'], projectId: owner.projectId, userName: 'rita' }),
      );
      return { api, caller, reader, file: `${path}/${clusterId}/kubeconfig` };
    }

    it('has no secret, and names the caller', async () => {
      const { api, caller, reader, file } = await withCluster({ identity_auth_enabled: true });

      const own = await api.get(`${file}?auth=identity`, { as: caller });
      const forReader = await api.get(file, { as: reader });

      for (const { status, text } of [own, forReader]) {
        assert.equal(status, 200, text);
        const { clusters, users } = parse(text);
        assert.equal(clusters[0].cluster.server, 'https://127.0.0.1:6443');
        assert.deepEqual(Object.keys(users[0].user), ['exec']);
        assert.equal(users[0].user.exec.command, 'client-keystone-auth');
        assert.doesNotMatch(text, /client-key-data|client-certificate|token:/);
      }
      assert.match(forReader.text, /--user-name=rita/);
      assert.match((await api.get(file, { as: caller })).text, /client-key-data/);
      assert.equal((await api.get(`${file}?auth=certificate`, { as: reader })).status, 403);
    });

    it('does not exist for a cluster without the plugin', async () => {
      const { api, caller, reader, file } = await withCluster({});

      const refused = await api.get<ErrorBody>(`${file}?auth=identity`, { as: caller });
      const forReader = await api.get<ErrorBody>(file, { as: reader });

      assert.deepEqual([refused.status, refused.body.code], [409, 'plugin_missing']);
      assert.deepEqual([forReader.status, forReader.body.code], [403, 'forbidden']);
      assert.equal((await api.get(`${file}?auth=password`, { as: caller })).status, 400);
    });

    it('says that its sealing key is missing', async () => {
      const { api, caller, reader, file } = await withCluster({});
      const record = `{lite}:cluster:${file.split('/').at(-2)}`;
      await api.context.redis.store.hset(record, 'secret:kubeconfig', 'v1.removed.AAAA');

      const refused = await api.get<ErrorBody>(file, { as: caller });
      const forReader = await api.get<ErrorBody>(file, { as: reader });

      assert.deepEqual([refused.status, refused.body.code], [503, 'sealing_key_missing']);
      assert.equal(forReader.status, 403);
    });
  });

  it('is stored encrypted', async () => {
    const api = await suite.start({ settings });
    const caller = suite.cloud.validCaller(newCaller());
    const { clusterId } = await create(api, caller);
    const cluster = (await api.context.liteClusters.read(clusterId)) as LiteCluster;

    await api.context.liteClusters.putSecrets(cluster, {
      kubeconfig: 'plain-kubeconfig',
      nodeToken: 'plain-token',
    });

    const stored = JSON.stringify(await api.context.redis.store.hgetall(`{lite}:cluster:${clusterId}`));
    assert.doesNotMatch(stored, /plain-/);
    assert.equal(await api.context.liteClusters.readSecret(cluster, 'nodeToken'), 'plain-token');
  });
});

describe('POST /api/lite/callback', () => {
  const suite = apiSuite();
  const report = {
    kubeconfig: '',
    node_token: 'K10abc::server:def',
    server_ip: '10.0.0.5',
    k3s_version: 'v1.36.1+k3s1',
    plugin_status: { block_csi: 'deployed', file_csi: 'failed' },
    plugin_pods: { file_csi: [{ phase: 'Pending', containerStatuses: [{ name: 'driver' }] }] },
  };

  before(async () => {
    report.kubeconfig = await newKubeconfig();
  });

  /** A creation whose control node has this token. */
  async function waiting(): Promise<{ api: TestApi; jobId: string; token: string }> {
    const api = await suite.start({ settings: { ...settings, rate_limits: { callback: 0 } } });
    const { jobId } = await create(api, suite.cloud.validCaller(newCaller()));
    await claimJob(api, jobId);
    return { api, jobId, token: await api.context.callbacks.issueToken(jobId, 60) };
  }

  it('stores the reason of a failure as a line without control characters', async () => {
    const { api, jobId, token } = await waiting();
    const error = ' \u001b[31mNo\u0000 space\r\nleft\u202e\u2028on device ';

    const answer = await api.post('/api/lite/callback', { body: { token, success: false, error } });

    assert.equal(answer.status, 200, answer.text);
    const stored = await api.context.callbacks.read<{ error: string }>(jobId);
    assert.equal(stored?.body.error, '[31mNo space left on device');
  });

  it('takes the report after more progress than is allowed a minute', async () => {
    const api = await suite.start({ settings: { ...settings, rate_limits: { callback: 1 } } });
    const { jobId } = await create(api, suite.cloud.validCaller(newCaller()));
    await claimJob(api, jobId);
    const token = await api.context.callbacks.issueToken(jobId, 60);
    const progress = async (plugin: string) =>
      (await api.post('/api/lite/callback/progress', { body: { token, stage: 'plugin', plugin } })).status;

    assert.deepEqual(await Array.fromAsync(['block_csi', 'file_csi'], progress), [200, 429]);
    const answer = await api.post('/api/lite/callback', { body: { token, ...report } });
    assert.equal(answer.status, 200, answer.text);
  });

  it('stores the report for the job, and accepts the same report again', async () => {
    const { api, jobId, token } = await waiting();

    for (const time of ['first', 'second']) {
      const answer = await api.post('/api/lite/callback', { body: { token, ...report } });
      assert.deepEqual([answer.status, answer.body], [200, { status: 'ok' }], time);
    }
    const stored = await api.context.callbacks.read(jobId);
    assert.deepEqual(stored?.body, { ...report, success: true });
  });

  it('is 403 for an unknown token, and a second report', async () => {
    const { api, token } = await waiting();
    await api.post('/api/lite/callback', { body: { token, ...report } });

    for (const body of [
      { token, ...report, server_ip: '10.0.0.6' },
      { ...report, token: `${token}x` },
      { ...report, token: 'unknown' },
    ]) {
      assert.equal((await api.post('/api/lite/callback', { body })).status, 403);
    }
  });

  it('is 400 for a malformed report, whose token stays valid', async () => {
    const { api, token } = await waiting();
    for (const [field, body] of [
      ['body.token', report],
      ['body.kubeconfig', { ...report, token, kubeconfig: 'apiVersion: v1' }],
      ['body.kubeconfig', { ...report, token, kubeconfig: await newKubeconfig('http://10.0.0.5:80/path') }],
      ['body.kubeconfig', { ...report, token, kubeconfig: undefined }],
      ['body.node_token', { ...report, token, node_token: undefined }],
      ['body.node_token', { ...report, token, node_token: 'two\nlines' }],
      ['body.kubeconfig', { ...report, token, kubeconfig: '%' }],
      ['body.server_ip', { ...report, token, server_ip: 'example.org' }],
      ['body.server_ip', { ...report, token, server_ip: '10.0.0.0/8' }],
      ['body.success', { ...report, token, success: 'perhaps' }],
      ['body.plugin_status', { ...report, token, plugin_status: [] }],
      ['body.plugin_status.block_csi', { ...report, token, plugin_status: { block_csi: 'perhaps' } }],
    ] as const) {
      const answer = await api.post<ErrorBody>('/api/lite/callback', { body });
      assert.deepEqual([answer.status, answer.body.errors?.[0]?.field], [400, field], answer.text);
    }
    assert.equal((await api.post('/api/lite/callback', { body: { token, ...report } })).status, 200);
  });

  it('takes stages of the node until the report, with the same token', async () => {
    const { api, jobId, token } = await waiting();
    const progress = (body: object) => api.post('/api/lite/callback/progress', { body: { token, ...body } });

    assert.deepEqual((await progress({ stage: 'plugin', plugin: 'block_csi' })).body, { status: 'ok' });

    const stored = await api.context.callbacks.read(jobId);
    assert.deepEqual([stored?.body, stored?.isFinal], [{ stage: 'plugin', plugin: 'block_csi' }, false]);
    for (const body of [{}, { stage: 'two words' }, { stage: 'plugin', plugin: '<a>' }]) {
      assert.equal((await progress(body)).status, 400);
    }
    assert.equal((await progress({ token: 'unknown', stage: 'install' })).status, 403);
    assert.equal((await api.post('/api/lite/callback', { body: { token, ...report } })).status, 200);
    assert.equal((await progress({ stage: 'install' })).status, 403);
    assert.deepEqual((await api.context.callbacks.read(jobId))?.body, { ...report, success: true });
  });

  it('takes a failure with its reason alone', async () => {
    const { api, jobId, token } = await waiting();

    const answer = await api.post('/api/lite/callback', {
      body: { token, success: false, error: '\u001b[31mNo space\nleft\u202e' },
    });

    assert.equal(answer.status, 200, answer.text);
    const stored = await api.context.callbacks.read(jobId);
    assert.deepEqual(stored?.body, { success: false, error: '[31mNo space left' });
  });
});
