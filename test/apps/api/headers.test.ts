import assert from 'node:assert/strict';
import { newCaller } from '../../support/api/factories.ts';
import { apiSuite } from '../../support/api/suite.ts';
import { fixtureBody } from '../../support/doubles/upstream.ts';

const DASHBOARD = 'https://dashboard.example.org';
const ELSEWHERE = 'https://elsewhere.example.org';

describe('cross-origin requests', () => {
  const suite = apiSuite();
  const settings = { http: { cors_origins: [DASHBOARD, 'http://localhost:3000'] } };

  it('are allowed from configured origins, which may read the documented headers', async () => {
    const api = await suite.start({ settings });

    for (const origin of [DASHBOARD, 'http://localhost:3000']) {
      const { headers } = await api.get('/api/site-config', { headers: { origin } });
      assert.equal(headers['access-control-allow-origin'], origin);
      assert.match(String(headers.vary), /Origin/);
      const exposed = String(headers['access-control-expose-headers'])
        .split(',')
        .map((name) => name.trim());
      for (const name of [
        'X-Request-Id',
        'Content-Disposition',
        'X-Job-Id',
        'X-Resource-Id',
        'Location',
        'Preference-Applied',
        'ETag',
        'Link',
        'X-Total-Count',
        'X-Incomplete',
        'X-Ignored',
        'Retry-After',
        'RateLimit-Limit',
        'RateLimit-Remaining',
        'RateLimit-Reset',
        'RateLimit-Policy',
      ]) {
        assert.ok(exposed.includes(name), name);
      }
    }
  });

  it('are allowed from any port of the same machine if configured so', async () => {
    const api = await suite.start({ settings: { http: { cors_local_origins: true } } });
    const allowed = async (origin: string) =>
      (await api.get('/api/site-config', { headers: { origin } })).headers['access-control-allow-origin'];

    for (const origin of ['http://localhost:5173', 'http://127.0.0.1:3000', 'https://[::1]:8443']) {
      assert.equal(await allowed(origin), origin);
    }
    for (const origin of [
      'http://localhost.example.org',
      'http://10.0.0.1:5173',
      'http://localhost:1@a.example',
    ]) {
      assert.equal(await allowed(origin), undefined, origin);
    }
  });

  it('are allowed to read errors', async () => {
    const api = await suite.start({ settings });

    for (const path of ['/api/instances', '/api/nothing', '/api/instances/%zz']) {
      const { headers } = await api.get(path, { headers: { origin: DASHBOARD } });
      assert.equal(headers['access-control-allow-origin'], DASHBOARD, path);
    }
  });

  it('are answered with the allowed methods and headers in a preflight', async () => {
    const api = await suite.start({ settings });

    const { status, headers } = await api.request('OPTIONS', '/api/instances/abc', {
      headers: {
        origin: DASHBOARD,
        'access-control-request-method': 'DELETE',
        'access-control-request-headers': 'x-auth-token,x-project-id,content-type',
      },
    });

    assert.equal(status, 204);
    assert.equal(headers['access-control-allow-origin'], DASHBOARD);
    assert.match(String(headers['access-control-allow-methods']), /DELETE/);
    const allowed = String(headers['access-control-allow-headers']);
    assert.match(allowed, /x-auth-token/);
    assert.match(allowed, /Last-Event-ID/, 'a resumed stream needs no other preflight');
  });

  it('are refused from other origins', async () => {
    const api = await suite.start({ settings });

    for (const origin of [ELSEWHERE, `${DASHBOARD}.evil.example`, 'null']) {
      const { headers } = await api.get('/api/site-config', { headers: { origin } });
      assert.equal(headers['access-control-allow-origin'], undefined, origin);
    }
  });

  it('are refused from all origins by default', async () => {
    const api = await suite.start();

    const { headers } = await api.get('/api/site-config', { headers: { origin: DASHBOARD } });

    assert.equal(headers['access-control-allow-origin'], undefined);
  });

  it('never include cookies', async () => {
    const api = await suite.start({ settings });

    const { headers } = await api.get('/api/site-config', { headers: { origin: DASHBOARD } });

    assert.equal(headers['access-control-allow-credentials'], undefined);
    assert.equal(headers['set-cookie'], undefined);
  });
});

describe('every response', () => {
  const suite = apiSuite();

  it('has the security headers for browsers', async () => {
    const api = await suite.start();

    const sources = { '/api/site-config': 'none', '/api/nothing': 'none', '/api/docs/': 'self' };
    for (const [path, source] of Object.entries(sources)) {
      const { headers } = await api.get(path);
      assert.equal(headers['x-content-type-options'], 'nosniff', path);
      const policy = String(headers['content-security-policy']);
      assert.ok(policy.includes(`default-src '${source}'`), `${path}: ${policy}`);
      assert.match(policy, /frame-ancestors 'none'/);
      assert.equal(headers['x-powered-by'], undefined);
    }
  });
});

describe('the log', () => {
  const suite = apiSuite();

  it('has one line per request, with the pattern of its route', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());
    await api.get('/api/instances/%20', { as: caller });

    const lines = api.log.withMessage('Request');

    assert.equal(lines.length, 1);
    const { method, route, status, project_id, user_id } = lines[0] ?? {};
    assert.deepEqual(
      { method, route, status, project_id, user_id },
      {
        method: 'GET',
        route: '/api/instances/:instance_id',
        status: 400,
        project_id: caller.projectId,
        user_id: caller.userId,
      },
    );
  });

  it('has an audit line for each change, without its body', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());
    suite.cloud
      .reply('compute/keypair', { method: 'DELETE', path: '/v2.1/os-keypairs/my-key', status: 202, body: '' })
      .reply('compute/keypair-create');
    await api.request('DELETE', '/api/keypairs/my-key', { as: caller });
    const { public_key } = fixtureBody<{ public_key: string }>('compute/keypair-create', 'keypair');
    await api.post('/api/keypairs', { as: caller, body: { name: 'new-key', public_key } });
    await api.get('/api/auth/me', { as: caller });

    const [removed, created, ...rest] = api.log.withMessage('Audit');

    assert.deepEqual(rest, []);
    for (const line of [removed, created]) {
      assert.equal(line?.user_id, caller.userId);
      assert.equal(line?.project_id, caller.projectId);
      assert.match(String(line?.request_id), /^req-/);
    }
    assert.deepEqual(
      [removed?.method, removed?.route, removed?.resource_id, removed?.status],
      ['DELETE', '/api/keypairs/:keypair_name', 'my-key', 204],
    );
    assert.equal(created?.status, 200);
    assert.equal(api.log.text().includes(public_key), false);
  });

  it('has no audit line for a POST that only reads', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());

    const answer = await api.post('/api/volumes/backups/auto-backup/configs', { as: caller });

    assert.equal(answer.status, 200, answer.text);
    assert.equal(api.log.withMessage('Request').length, 1);
    assert.deepEqual(api.log.withMessage('Audit'), []);
  });

  it('has no unvalidated ids in audit lines', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());

    const answer = await api.request('DELETE', `/api/keypairs/${'a-'.repeat(4_600)}`, { as: caller });
    const [line] = api.log.withMessage('Audit');

    assert.equal(answer.status, 400);
    assert.deepEqual([line?.status, line?.resource_id], [400, undefined]);
    assert.ok(JSON.stringify(line).length < 1_000);
  });

  it('has an audit line for a refused change, too', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());
    suite.cloud.reply('compute/keypair-exists');

    await api.post('/api/keypairs', { as: caller, body: { name: 'k' } });

    assert.deepEqual(
      api.log.withMessage('Audit').map(({ status }) => status),
      [409],
    );
  });
});

describe('an unused connection', () => {
  const suite = apiSuite();

  it('stays open for over a minute, so that proxies close it first', async () => {
    const api = await suite.start();

    const { headers } = await api.get('/api/site-config', { headers: { connection: 'keep-alive' } });

    const [, seconds] = /timeout=(\d+)/.exec(String(headers['keep-alive'])) ?? [];
    assert.ok(Number(seconds) > 60, String(headers['keep-alive']));
  });
});
