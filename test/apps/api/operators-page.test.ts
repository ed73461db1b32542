import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { newId } from '@gateway/core';
import { jobStates } from '../../../apps/api/src/routes/jobs/shapes.ts';
import type { ErrorBody } from '../../support/api/client.ts';
import { newCaller, newTokenText, type TestCaller } from '../../support/api/factories.ts';
import { TOKEN_CACHE_SECONDS } from '../../support/api/settings.ts';
import { allStoredData } from '../../support/api/stored-data.ts';
import { apiSuite, type TestApi } from '../../support/api/suite.ts';
import { fixtureBody } from '../../support/doubles/upstream.ts';
import { eventually } from '../../support/eventually.ts';

const ops = { enabled: true };
const PAGES = ['/ops', '/ops/', '/ops/jobs?state=held', '/ops/queues?queue=provisioning', '/ops/sessions'];
const LOG_IN = { username: 'admin', password: 'admin-secret', use_cookie: true };
/** What browsers and the page add to its requests. */
const OF_PAGE = { 'sec-fetch-site': 'same-origin', 'x-gateway-csrf': '1' };

describe("the operators' page", () => {
  const suite = apiSuite();
  const started = (settings: Record<string, Record<string, unknown>> = {}) =>
    suite.start({ settings: { ops, ...settings } });

  /** The headers of the page's requests after the log-in. */
  async function logIn(api: TestApi, admin: TestCaller): Promise<Record<string, string>> {
    suite.cloud.acceptsLogIn(admin);
    const answer = await api.post<{ token: string }>('/api/auth/login', { body: LOG_IN, headers: OF_PAGE });
    assert.deepEqual([answer.status, answer.body.token], [200, ''], answer.text);
    return { cookie: answer.headers['set-cookie']?.[0]?.split(';')[0] ?? '', ...OF_PAGE };
  }

  const newAdmin = () => newCaller({ roles: ['admin'] });

  it('is off by default', async () => {
    const api = await suite.start();

    for (const path of [...PAGES, '/ops/login', '/ops/assets/ops.css']) {
      const answer = await api.get<ErrorBody>(path);
      assert.deepEqual([answer.status, answer.body.code], [404, 'route_not_found'], path);
    }
  });

  it('is not part of the interface', async () => {
    const api = await started();

    const { text } = await api.get('/api/openapi.json');

    assert.doesNotMatch(text, /\/ops/);
  });

  it('is one file at each address, whose policy allows its own scripts', async () => {
    const api = await started();

    const answers = await Promise.all([...PAGES, '/ops/login', '/ops/sso'].map((path) => api.get(path)));

    assert.equal(new Set(answers.map(({ text }) => text)).size, 1);
    for (const { headers, status } of answers) {
      assert.deepEqual([status, headers['cache-control']], [200, 'no-store']);
      assert.match(String(headers['content-type']), /^text\/html/);
      assert.match(String(headers['content-security-policy']), /script-src 'self';style-src 'self'$/);
      assert.match(String(headers['content-security-policy']), /frame-ancestors 'none'/);
      assert.equal(headers['set-cookie'], undefined);
    }
    for (const path of ['/ops/elsewhere', '/ops/api/admin/jobs', '/ops/assets/none.js'])
      assert.equal((await api.get(path)).status, 404, path);
    assert.equal((await api.post('/ops/login', { body: LOG_IN })).status, 404);
  });

  it('loads nothing from other hosts, and stores nothing of a session', async () => {
    const api = await started();
    const { text } = await api.get('/ops');
    const files = [...text.matchAll(/(?:src|href)="(assets\/[^"]+)"/g)].map(([, file]) => `/ops/${file}`);
    const scripts = new Map<string, string>();

    for (const file of files) {
      const { headers, status, text: content } = await api.get(file);
      assert.deepEqual([status, headers['cache-control']], [200, 'private, no-cache'], file);
      if (!file.endsWith('.js') || file.endsWith('uplot.js')) continue;
      scripts.set(file, content);
      for (const [, name = ''] of content.matchAll(/from '\.\/([\w-]+\.js)'/g))
        if (!files.includes(`/ops/assets/${name}`)) files.push(`/ops/assets/${name}`);
    }
    for (const view of ['overview', 'jobs', 'queues', 'health', 'sessions'])
      scripts.set(view, (await api.get(`/ops/assets/${view}.js`)).text);

    assert.ok(scripts.size >= 8, [...scripts.keys()].join());
    assert.doesNotMatch(text, /https?:|<style| style=|<script(?! type="module" src=")| on\w+=/);
    for (const [name, script] of scripts)
      assert.doesNotMatch(script, /https?:|innerHTML|insertAdjacentHTML|localStorage|\.cookie\b/, name);
  });

  it('replaces its files by their content, whatever their times', async () => {
    const api = await started();
    for (const path of ['/ops/assets/page.js', '/api/docs/docs.js']) {
      const get = (headers: Record<string, string> = {}) => api.get<ErrorBody>(path, { headers });
      const whole = await get();
      const tag = String(whole.headers.etag);

      assert.equal(whole.headers['last-modified'], undefined);
      assert.equal((await get({ 'if-none-match': tag })).status, 304);
      for (const [name, value] of [
        ['if-none-match', '"other"'],
        ['if-modified-since', 'Fri, 01 Jan 2100 00:00:00 GMT'],
        ['if-match', tag],
        ['range', 'bytes=99999999-'],
      ] as const) {
        const answer = await get({ [name]: value });
        assert.deepEqual([answer.status, answer.text], [200, whole.text], name);
      }
      const refused = await get({ 'if-match': '"other"' });
      assert.deepEqual([refused.status, refused.body.code], [400, 'invalid_input']);
    }
  });

  it('offers each state of jobs', async () => {
    const api = await started();

    const { text } = await api.get('/ops');

    const [, view = ''] = /<template id="view-jobs"([\s\S]*?)<\/template>/.exec(text) ?? [];
    const states = [...view.matchAll(/<option value="(\w+)">\1</g)].map(([, state]) => state);
    assert.deepEqual(states, jobStates);
  });

  it('reads for administrators, by a cookie hidden from scripts and other sites', async () => {
    const api = await started();
    const admin = newAdmin();
    suite.cloud.acceptsLogIn(admin);

    const answer = await api.post<{ is_admin: boolean }>('/api/auth/login', {
      body: LOG_IN,
      headers: OF_PAGE,
    });

    const [cookie = ''] = answer.headers['set-cookie'] ?? [];
    assert.match(cookie, /^gateway_session=v1\.\S+; Path=\/api; HttpOnly; SameSite=Strict$/);
    assert.equal(answer.body.is_admin, true);
    assert.doesNotMatch(answer.text + cookie, /gAAAAA/);
    const headers = { cookie: cookie.split(';')[0] ?? '', ...OF_PAGE };
    for (const path of ['/api/auth/me', '/api/admin/jobs', '/api/admin/failures', '/api/admin/queues'])
      assert.equal((await api.get(path, { headers })).status, 200, path);
    assert.ok(!(await allStoredData(api)).join('\n').includes(admin.token), 'stored in plain text');
  });

  it('has a cookie that no other host can set, over HTTPS', async () => {
    const api = await started({ public_endpoint: { url: 'https://gateway.example.org' } });

    const { cookie = '', ...others } = await logIn(api, newAdmin());

    assert.match(cookie, /^__Host-gateway_session=/);
    assert.equal((await api.get('/api/admin/queues', { headers: { cookie, ...others } })).status, 200);
  });

  it('learns that a user is no administrator, who may log out', async () => {
    const api = await started();
    const member = newCaller({ roles: ['member'] });
    const headers = await logIn(api, member);
    suite.cloud.revokesToken(member.token);

    const me = await api.get<{ can: string[] }>('/api/auth/me', { headers });
    const jobs = await api.get('/api/admin/jobs', { headers });
    const logOut = await api.post('/api/auth/logout', { headers });

    assert.ok(!me.body.can.includes('administer'));
    assert.deepEqual([jobs.status, logOut.status], [403, 204]);
    assert.match(logOut.headers['set-cookie']?.[0] ?? '', /^gateway_session=; Max-Age=0/);
  });

  it('has no session that a page of another origin has begun', async () => {
    const api = await started();
    const others: Record<string, string>[] = [
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site', origin: `http://127.0.0.1:${api.port}` },
      { origin: 'https://elsewhere.example.org' },
      { origin: 'null' },
    ];

    for (const headers of others) {
      for (const [path, body] of [
        ['/api/auth/login', LOG_IN],
        ['/api/auth/exchange', { code: 'x', verifier: 'y', use_cookie: true }],
      ] as const) {
        const answer = await api.post<ErrorBody>(path, { body, headers });
        assert.deepEqual([answer.status, answer.body.code], [403, 'forbidden'], JSON.stringify(headers));
        assert.equal(answer.headers['set-cookie'], undefined);
      }
    }
    const form = { 'content-type': 'text/plain', ...OF_PAGE };
    const sent = await api.post('/api/auth/login', { rawBody: JSON.stringify(LOG_IN), headers: form });
    assert.equal(sent.status, 415, 'a form without a question by the browser');
  });

  it('changes nothing that another page has asked for', async () => {
    const api = await started({ ops: { ...ops, allow_changes: true } });
    const { cookie = '' } = await logIn(api, newAdmin());
    const csrf = { 'x-gateway-csrf': '1' };
    const pause = (headers: Record<string, string>) =>
      api.post('/api/admin/queues/maintenance/pause', { headers: { cookie, ...headers } });

    const refused = await Promise.all([
      pause({}),
      pause(csrf),
      pause({ 'sec-fetch-site': 'same-origin' }),
      pause({ ...csrf, 'sec-fetch-site': 'cross-site' }),
      pause({ ...csrf, 'sec-fetch-site': 'same-site', origin: `http://127.0.0.1:${api.port}` }),
      pause({ ...csrf, origin: 'https://elsewhere.example.org' }),
      pause({ ...csrf, origin: 'null' }),
    ]);

    assert.deepEqual(
      refused.map(({ status }) => status),
      Array(refused.length).fill(403),
    );
    assert.equal((await pause(OF_PAGE)).status, 200);
  });

  it('is read-only unless changes are allowed', async () => {
    const readOnly = await started();
    const api = await started({ ops: { ...ops, allow_changes: true } });
    const headers = await logIn(readOnly, newAdmin());

    const refused = await readOnly.post('/api/admin/queues/maintenance/pause', { headers });

    assert.match((await readOnly.get('/ops')).text, /<body data-allows-changes="false">/);
    assert.match((await api.get('/ops')).text, /<body data-allows-changes="true">/);
    assert.equal(refused.status, 403);
  });

  it('pauses and resumes queues where changes are allowed', async () => {
    const api = await started({ ops: { ...ops, allow_changes: true } });
    const admin = newAdmin();
    const headers = await logIn(api, admin);
    const change = async (action: string) => {
      const path = `/api/admin/queues/maintenance/${action}`;
      const { body, status } = await api.post<{ is_paused: boolean }>(path, { headers });
      return [status, body.is_paused];
    };

    assert.deepEqual(await change('pause'), [200, true]);
    assert.deepEqual(await change('resume'), [200, false]);

    const [record] = await eventually(async () => {
      const found = await api.context.audit.read('change', {}, 10);
      return found.length >= 2 ? found : undefined;
    });
    assert.deepEqual(
      [record?.route, record?.resource_id, record?.user_id],
      ['/api/admin/queues/:queue/resume', 'maintenance', admin.userId],
    );
  });

  it('never removes or adds jobs', async () => {
    const api = await started({ ops: { ...ops, allow_changes: true } });
    const headers = await logIn(api, newAdmin());
    const id = newId();
    const queued = { payload: {}, credentialHandle: null, requestId: 'req-1', projectId: 'p-1' };
    await api.context.queues.add(id, { ...queued, type: 'session.prefill' }, { delayMs: 3_600_000 });
    const before = await api.get('/api/admin/queues', { headers });
    const queue = '/api/admin/queues/maintenance';
    const job = { name: 'session.prefill', data: {}, options: {} };

    const answers = await Promise.all([
      api.post(`${queue}/obliterate`, { headers, body: { force: true } }),
      api.post(`${queue}/empty`, { headers }),
      api.post(`${queue}/clean/failed`, { headers }),
      api.post(`${queue}/promote`, { headers }),
      api.post(`${queue}/entries/${id}/clean`, { headers }),
      api.request('PUT', `${queue}/entries/${id}`, { headers }),
      api.request('DELETE', `${queue}/entries/${id}`, { headers }),
      api.request('DELETE', queue, { headers }),
      api.post(`${queue}/add`, { headers, body: job }),
      api.post(`${queue}/entries`, { headers, body: job }),
    ]);

    for (const { status, text } of answers) assert.ok([404, 405].includes(status), text);
    const after = await api.get('/api/admin/queues', { headers });
    assert.match(before.text, /"delayed":1/);
    assert.equal(after.text, before.text);
  });

  it('shows nothing more when the role is withdrawn, or the token revoked', async () => {
    const api = await started();
    const admin = newAdmin();
    const headers = await logIn(api, admin);
    const status = async () => (await api.get('/api/admin/queues', { headers })).status;
    assert.equal(await status(), 200);

    suite.cloud.acceptsToken({ ...admin, roles: ['member'] });
    api.clock.advance(TOKEN_CACHE_SECONDS + 1);
    assert.equal(await status(), 403);
    suite.cloud.rejectsToken(admin.token);
    api.clock.advance(TOKEN_CACHE_SECONDS + 1);
    assert.equal(await status(), 401);
  });

  it('ends with the session, and in all processes with a log-out', async () => {
    const api = await started({ session: { length_seconds: 3600, token_cache_seconds: 7200 } });
    const other = await suite.start({ settings: { ops }, keyPrefix: api.keyPrefix });
    const admin = newAdmin();
    const headers = await logIn(api, admin);
    const status = async (at: TestApi) => (await at.get('/api/auth/me', { headers })).status;
    suite.cloud.revokesToken(admin.token);
    assert.equal(await status(other), 200);

    assert.equal((await api.post('/api/auth/logout', { headers })).status, 204);

    await eventually(async () => (await status(other)) === 401);
    const again = await logIn(api, newAdmin());
    api.clock.advance(3601);
    assert.equal((await api.get('/api/auth/me', { headers: again })).status, 401);
  });

  describe('with a single sign-on', () => {
    const url = 'https://gateway.example.org/north';
    const origin = 'https://gateway.example.org';
    const settings = {
      sso: {
        url: 'https://sso.example.org/identity',
        providers: [{ id: 'company', name: 'Company <account>', protocol: 'openid' }],
        dashboards: [`${origin}/dashboard`],
      },
      public_endpoint: { url },
    };
    const verifier = randomBytes(32).toString('base64url');
    const challenge = createHash('sha256').update(verifier).digest('base64url');

    function begin(api: TestApi, query: Record<string, string>) {
      return api.get<ErrorBody>(`/api/auth/sso/company?${new URLSearchParams({ challenge, ...query })}`);
    }

    /** Where the browser is sent after the log-in at the provider. */
    async function returned(api: TestApi, query: Record<string, string>, token: string): Promise<string> {
      const { headers, status, text } = await begin(api, query);
      assert.equal(status, 303, text);
      const answer = await api.post('/api/auth/sso/callback', {
        headers: {
          'content-type': 'application/x-www-form-urlencoded',
          origin: 'https://sso.example.org',
          cookie: headers['set-cookie']?.[0]?.split(';')[0] ?? '',
        },
        rawBody: String(new URLSearchParams({ token })),
      });
      return String(answer.headers.location);
    }

    it('returns to the page, and logs an administrator in', async () => {
      const api = await started(settings);
      const token = newTokenText();
      const unscoped = newCaller({ token, projectId: '', projectName: '', roles: [] });
      const admin = newCaller({
        ...unscoped,
        token: newTokenText(),
        projectId: 'p-a',
        projectName: 'alpha',
        roles: ['admin'],
      });
      const [recorded] = fixtureBody<object[]>('identity/projects-mine', 'projects');
      const projects = [{ ...recorded, id: 'p-a', name: 'alpha', enabled: true }];
      suite.cloud
        .acceptsToken(unscoped)
        .reply('identity/projects-mine', { body: { projects } })
        .rescopesToken(token, admin)
        .revokesToken(token);

      const location = await returned(api, { origin, page: 'operators' }, token);
      const [page, code] = location.split('#code=');
      const body = { code, verifier, use_cookie: true };
      const answer = await api.post('/api/auth/exchange', { body, headers: { origin, ...OF_PAGE } });

      assert.equal(page, `${url}/ops/sso`);
      assert.equal(answer.status, 200, answer.text);
      const headers = { cookie: answer.headers['set-cookie']?.[0]?.split(';')[0] ?? '', ...OF_PAGE };
      assert.equal((await api.get('/api/admin/queues', { headers })).status, 200);
    });

    it('begins at its own origin, and only where the page is served', async () => {
      const api = await started(settings);
      const off = await suite.start({ settings });

      for (const [at, query] of [
        [api, { origin: 'https://elsewhere.example.org', page: 'operators' }],
        [off, { origin, page: 'operators' }],
        [api, { origin, page: 'another' }],
      ] as const) {
        const { body, status } = await begin(at, query);
        assert.deepEqual([status, body.code], [400, 'invalid_input'], JSON.stringify(query));
      }
      assert.match(await returned(api, { origin }, newTokenText()), /^https:\/\/[\w.]+\/dashboard#code=/);
    });
  });
});
