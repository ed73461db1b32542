import assert from 'node:assert/strict';
import { isRefusedWhileReadOnly, isWrite } from '../../../apps/api/src/pipeline/writes.ts';
import { endpoints } from '../../../apps/api/src/routes/index.ts';
import type { ErrorBody, RequestOptions } from '../../support/api/client.ts';
import { instanceRequest, newCaller, type TestCaller } from '../../support/api/factories.ts';
import { queuedJob } from '../../support/api/jobs.ts';
import { killableRedis } from '../../support/api/killable-redis.ts';
import { apiSuite, type TestApi } from '../../support/api/suite.ts';
import { testEndpoints } from '../../support/api/test-endpoint.ts';
import { eventually } from '../../support/eventually.ts';

interface Mode {
  is_read_only: boolean;
  reason: string | null;
  since: string | null;
  until: string | null;
  user_id: string | null;
  user_name: string | null;
}

interface Health {
  status: string;
  read_only: { reason: string | null; since: string; until: string | null } | null;
}

const MODE = '/api/admin/read-only-mode';
const PATH = '/api/instances/async';
const REASON = 'The storage of the cloud is replaced';
const REFUSAL = `The gateway accepts no changes, because of maintenance: ${REASON}.`;
/** A write for which no service is asked before. */
const WRITE = ['DELETE', '/api/admin/gpu-quotas/defaults/none'] as const;

describe('the read-only mode', function () {
  this.timeout(120_000);
  const suite = apiSuite();
  const own = testEndpoints(suite);
  const redis = killableRedis();

  async function prepare(options: Parameters<typeof suite.start>[0] = {}) {
    const api = await suite.start(options);
    // The token stays validated for as long as the test takes.
    api.clock.stop();
    const admin = suite.cloud.validCaller(newCaller({ roles: ['admin'] }));
    const begin = async (body: object = { reason: REASON }) => {
      const { body: mode, status, text } = await api.request<Mode>('PUT', MODE, { as: admin, body });
      assert.equal(status, 200, text);
      return mode;
    };
    return { api, admin, begin };
  }

  const write = (api: TestApi, as: TestCaller) => api.request<ErrorBody>(...WRITE, { as });

  it('refuses all writes but those of sessions, machines and operators', () => {
    const writes = endpoints.filter(isWrite);
    const accepted = writes.filter((endpoint) => !isRefusedWhileReadOnly(endpoint));

    assert.deepEqual(accepted.map(({ method, path }) => `${method} ${path}`).sort(), [
      'DELETE /api/admin/read-only-mode',
      'DELETE /api/auth/sessions',
      'DELETE /api/auth/sessions/:session_id',
      'POST /api/admin/jobs/:job_id/cancel',
      'POST /api/admin/jobs/:job_id/hold',
      'POST /api/admin/jobs/:job_id/release',
      'POST /api/admin/queues/:queue/entries/:entry_id/run',
      'POST /api/admin/queues/:queue/pause',
      'POST /api/admin/queues/:queue/resume',
      'POST /api/auth/exchange',
      'POST /api/auth/extend-session',
      'POST /api/auth/login',
      'POST /api/auth/logout',
      'POST /api/auth/sso/callback',
      'POST /api/auth/token',
      'POST /api/events/ticket',
      'POST /api/file-storage/builds/callback',
      'POST /api/file-storage/verifications/callback',
      'POST /api/instances/first-boot/callback',
      'POST /api/jobs/:job_id/ticket',
      'POST /api/lite/callback',
      'POST /api/lite/callback/agent',
      'POST /api/lite/callback/kubeconfig',
      'POST /api/lite/callback/progress',
      'POST /api/lite/clusters/:cluster_id/health/check',
      'PUT /api/admin/read-only-mode',
      'PUT /api/auth/expired-password',
    ]);
  });

  it('answers each refused write of the interface with 503', async () => {
    const { api, admin, begin } = await prepare();
    await begin();

    for (const endpoint of endpoints.filter(isRefusedWhileReadOnly)) {
      if (endpoint.service !== undefined && !api.context.config.services[endpoint.service]) continue;
      const path = endpoint.path.replace(/:\w+/g, 'x');
      const { status, body } = await api.request<ErrorBody>(endpoint.method, path, { as: admin });
      assert.deepEqual([status, body.code, body.detail], [503, 'read_only', REFUSAL], path);
    }
  });

  it('begins in all processes at once, and ends so', async () => {
    const { api, admin, begin } = await prepare();
    const other = await suite.start({ keyPrefix: api.keyPrefix });
    const member = suite.cloud.validCaller(newCaller());
    suite.cloud.reply('image/images');
    assert.equal((await write(other, admin)).status, 404);

    const begun = await begin();
    const refused = await write(other, admin);
    const read = await other.get('/api/images', { as: member });
    const shown = await other.get<Mode>(MODE, { as: admin });
    const ended = await other.request('DELETE', MODE, { as: admin });
    const again = await write(api, admin);
    const after = await api.get<Mode>(MODE, { as: admin });

    assert.deepEqual([refused.status, refused.body.code, refused.body.detail], [503, 'read_only', REFUSAL]);
    assert.equal(refused.headers['retry-after'], '60');
    assert.equal(read.status, 200);
    assert.deepEqual([begun.is_read_only, begun.reason, begun.until], [true, REASON, null]);
    assert.deepEqual([begun.user_id, begun.user_name], [admin.userId, admin.userName]);
    assert.deepEqual(shown.body, begun);
    assert.deepEqual([ended.status, again.status, after.body.is_read_only], [204, 404, false]);
  });

  it('ends by itself at its planned end', async () => {
    const { api, admin, begin } = await prepare();
    const until = new Date(Math.ceil(api.clock.now() / 1000) * 1000 + 600_000);

    const { since } = await begin({ until });
    const refused = await write(api, admin);
    const changed = await begin({ until, reason: 'Soon!' });
    const later = await write(api, admin);
    api.clock.advance(602);
    suite.cloud.acceptsToken(admin);
    const accepted = await write(api, admin);

    const end = until.toISOString().replace('.000Z', 'Z');
    assert.equal(refused.body.detail, `The gateway accepts no changes until ${end}, because of maintenance.`);
    const retryAfter = Number(refused.headers['retry-after']);
    assert.ok(retryAfter > 300 && retryAfter <= 601, String(retryAfter));
    assert.deepEqual([changed.since, changed.until], [since, end]);
    assert.match(later.body.detail, /because of maintenance: Soon!$/);
    assert.equal(accepted.status, 404);
    assert.equal((await api.get<Mode>(MODE, { as: admin })).body.is_read_only, false);
  });

  it('is for administrators, and does not end in the past', async () => {
    const { api, admin } = await prepare();
    const member = suite.cloud.validCaller(newCaller());

    const ofMember = await api.request<ErrorBody>('PUT', MODE, { as: member, body: {} });
    const past = await api.request<ErrorBody>('PUT', MODE, {
      as: admin,
      body: { until: new Date(api.clock.now() - 1000) },
    });

    assert.equal(ofMember.status, 403);
    assert.deepEqual([past.status, past.body.errors?.[0]?.field], [400, 'body.until']);
    assert.equal((await write(api, admin)).status, 404);
  });

  it('is in the health for everybody, without the administrator', async () => {
    const { api, begin } = await prepare();
    const before = await api.get<Health>('/api/health');
    const { since } = await begin();

    const { body } = await api.get<Health>('/api/health');

    assert.equal(before.body.read_only, null);
    assert.deepEqual(body.read_only, { reason: REASON, since, until: null });
    assert.equal(body.status, 'ok');
  });

  it('is not stored with an Idempotency-Key', async () => {
    const { api, admin, begin } = await prepare();
    let made = 0;
    const { call } = await own.serve(api, {
      handler: async () => {
        made += 1;
        return { is: `thing ${made}` };
      },
    });
    const keyed = (key: string): RequestOptions => ({ as: admin, headers: { 'idempotency-key': key } });
    const first = await call(keyed('before'));
    await begin();

    const repeated = await call(keyed('before'));
    const refused = await call(keyed('meanwhile'));
    await api.request('DELETE', MODE, { as: admin });
    const accepted = await call(keyed('meanwhile'));

    assert.deepEqual([first.text, repeated.text], ['{"is":"thing 1"}', '{"is":"thing 1"}']);
    assert.deepEqual([refused.status, refused.body.code], [503, 'read_only']);
    assert.deepEqual([accepted.status, accepted.text], [200, '{"is":"thing 2"}']);
  });

  it('lets a repeat have the job of its first request only', async () => {
    const { api, admin, begin } = await prepare();
    const member = suite.cloud.validCaller(newCaller());
    const request = (key: string) => ({
      as: member,
      body: instanceRequest(),
      headers: { 'idempotency-key': key },
    });
    const create = (key: string) => api.stream('POST', PATH, request(key));
    const createInVain = (key: string) => api.post(PATH, request(key));
    const first = await create('before');
    first.close();
    await queuedJob(api, 'provisioning');
    await begin();

    const repeated = await create('before');
    repeated.close();
    const refused = [await createInVain('meanwhile'), await createInVain('meanwhile')];
    await api.request('DELETE', MODE, { as: admin });
    const accepted = await create('meanwhile');
    accepted.close();

    assert.equal(repeated.headers.get('x-job-id'), first.headers.get('x-job-id'));
    assert.deepEqual(
      refused.map(({ status }) => status),
      [503, 503],
    );
    assert.equal(accepted.status, 200);
    assert.notEqual(accepted.headers.get('x-job-id'), first.headers.get('x-job-id'));
  });

  it('keeps what operators need: log-ins, queues and jobs', async () => {
    const { api, admin, begin } = await prepare({ settings: { ops: { allow_changes: true } } });
    const member = suite.cloud.validCaller(newCaller());
    const stream = await api.stream('POST', PATH, { as: member, body: instanceRequest() });
    stream.close();
    await begin();
    suite.cloud.acceptsLogIn(newCaller());

    const job = `/api/admin/jobs/${stream.headers.get('x-job-id')}`;
    const logIn = await api.post('/api/auth/login', { body: { username: 'demo', password: 'demo-secret' } });
    const acts = [
      await api.post('/api/admin/queues/provisioning/pause', { as: admin }),
      await api.post('/api/admin/queues/provisioning/resume', { as: admin }),
      await api.post(`${job}/hold`, { as: admin }),
      await api.post(`${job}/release`, { as: admin }),
      await api.post(`${job}/cancel`, { as: admin }),
    ];

    assert.equal(logIn.status, 200);
    assert.deepEqual(
      acts.map(({ status }) => status),
      [200, 200, 200, 200, 202],
    );
  });

  it('is audited, and refused writes are in no history', async () => {
    const { api, admin, begin } = await prepare();
    const member = suite.cloud.validCaller(newCaller());
    await begin();
    await api.request('DELETE', '/api/volumes/x', { as: member });
    await api.request('DELETE', MODE, { as: admin });

    const records = await eventually(async () => {
      const { body } = await api.get<{ items: Record<string, unknown>[] }>('/api/admin/audit', { as: admin });
      return body.items.length === 2 ? body.items : undefined;
    });
    const history = await api.get<{ items: unknown[] }>('/api/history', { as: member });

    assert.deepEqual(
      records.map(({ method, route, status, user_id }) => [method, route, status, user_id]),
      [
        ['DELETE', MODE, 204, admin.userId],
        ['PUT', MODE, 200, admin.userId],
      ],
    );
    assert.deepEqual(history.body.items, []);
  });

  it('costs reads of lists nothing', async () => {
    const { api, begin } = await prepare();
    const member = suite.cloud.validCaller(newCaller());
    suite.cloud.reply('image/images');
    await begin();
    const { readOnlyMode } = api.context;
    let reads = 0;
    const read = readOnlyMode.read.bind(readOnlyMode);
    readOnlyMode.read = () => {
      reads += 1;
      return read();
    };

    for (let count = 0; count < 3; count += 1) await api.get('/api/images', { as: member });
    assert.equal(reads, 0);
    await api.request('DELETE', '/api/volumes/x', { as: member });
    assert.equal(reads, 1);
  });

  it('stays as it was while the store is unavailable', async () => {
    const { api, begin } = await prepare({ redisUrl: redis.url });
    const caller = newCaller();
    suite.cloud.acceptsToken(caller);
    await begin();
    await redis.killAndWait(api);

    const { status, body } = await api.request<ErrorBody>('DELETE', '/api/volumes/x', { as: caller });

    assert.deepEqual([status, body.code], [503, 'read_only']);
    const { body: health } = await api.get<Health>('/api/health');
    assert.notEqual(health.read_only, null);
  });

  it('is a metric', async () => {
    const { api, begin } = await prepare();
    const exposed = async () => {
      const { body } = await api.context.metrics.metricsText();
      return /^gateway_read_only (\d)$/m.exec(body)?.[1];
    };

    assert.equal(await exposed(), '0');
    await begin();
    assert.equal(await exposed(), '1');
  });
});
