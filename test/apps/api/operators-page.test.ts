import assert from 'node:assert/strict';
import { newId } from '@gateway/core';
import type { ErrorBody } from '../../support/api/client.ts';
import { newCaller, newTokenText } from '../../support/api/factories.ts';
import { fromPage, logInOperator, operatorLogIn, visit } from '../../support/api/operator.ts';
import { allStoredData } from '../../support/api/stored-data.ts';
import { apiSuite } from '../../support/api/suite.ts';
import { fixtureBody } from '../../support/doubles/upstream.ts';
import { eventually } from '../../support/eventually.ts';

const ops = { enabled: true };

describe("the operators' page", () => {
  const suite = apiSuite();
  const started = (settings: Record<string, Record<string, unknown>> = {}) =>
    suite.start({ settings: { ops, ...settings } });

  it('is off by default', async () => {
    const api = await suite.start();

    for (const path of ['/ops', '/ops/login', '/ops/queues', '/ops/assets/ops.css']) {
      const answer = await api.get<ErrorBody>(path);
      assert.deepEqual([answer.status, answer.body.code], [404, 'route_not_found'], path);
    }
  });

  it('is not part of the interface', async () => {
    const api = await started();

    const { text } = await api.get('/api/openapi.json');

    assert.doesNotMatch(text, /\/ops/);
  });

  it('shows the log-in to everybody, and nothing else', async () => {
    const api = await started();

    const logIn = await visit(api, 'GET', '/ops/login');
    const pages = ['/ops', '/ops/queues', '/ops/queues?queue=provisioning&state=failed'];
    const redirected = await Promise.all(pages.map((path) => visit(api, 'GET', path)));
    const data = [
      '/ops/api/admin/jobs',
      '/ops/api/admin/failures',
      '/ops/api/admin/queues',
      '/ops/api/admin/queues/provisioning/entries',
      '/ops/api/admin/leftovers',
    ];
    const json = { accept: 'application/json' };
    const refused = await Promise.all(data.map((path) => visit(api, 'GET', path, { headers: json })));

    assert.equal(logIn.status, 200);
    assert.match(logIn.text, /<form method="post" action="\/ops\/login">/);
    for (const { headers, status } of redirected)
      assert.deepEqual([status, headers.location], [303, '/ops/login']);
    for (const { status, text } of refused) {
      assert.equal(status, 401);
      assert.equal(JSON.parse(text).code, 'unauthorized');
    }
  });

  it('admits administrators, with a cookie hidden from scripts and other sites', async () => {
    const api = await started();
    const admin = newCaller({ roles: ['admin'] });
    suite.cloud.acceptsLogIn(admin);

    const answer = await visit(api, 'POST', '/ops/login', { form: { ...operatorLogIn, project_name: '' } });

    assert.deepEqual([answer.status, answer.headers.location], [303, '/ops']);
    const [cookie = ''] = answer.headers['set-cookie'] ?? [];
    assert.match(cookie, /^gateway_ops=[\w-]{43}; Path=\/ops; HttpOnly; SameSite=Strict$/);
    assert.equal(answer.headers['cache-control'], 'no-store');
    const page = await visit(api, 'GET', '/ops', { cookie: cookie.split(';')[0] });
    assert.equal(page.status, 200);
    assert.match(page.text, /Log out/);
    assert.match(String(page.headers['content-security-policy']), /script-src 'self';style-src 'self'$/);
    const stored = (await allStoredData(api)).join('\n');
    assert.ok(
      !stored.includes(admin.token) && !stored.includes(cookie.slice(12, 55)),
      'stored in plain text',
    );
  });

  it('has a cookie that no other host can set, over HTTPS', async () => {
    const api = await started({ public_endpoint: { url: 'https://gateway.example.org' } });
    suite.cloud.acceptsLogIn(newCaller({ roles: ['admin'] }));

    const { headers } = await visit(api, 'POST', '/ops/login', { form: operatorLogIn });

    const [cookie = '', ...attributes] = headers['set-cookie']?.[0]?.split('; ') ?? [];
    assert.match(cookie, /^__Host-gateway_ops=/);
    assert.deepEqual(attributes, ['Path=/', 'HttpOnly', 'Secure', 'SameSite=Strict']);
    assert.equal((await visit(api, 'GET', '/ops', { cookie })).status, 200);
    const planted = cookie.replace('__Host-', '');
    assert.equal((await visit(api, 'GET', '/ops', { cookie: planted })).status, 303);
  });

  it('uses the configured role of administrators', async () => {
    const api = await started({ identity: { admin_role: 'cloud-operator' } });
    const admin = newCaller({ roles: ['admin', 'member'] });
    suite.cloud.acceptsLogIn(admin).revokesToken(admin.token);

    const answer = await visit(api, 'POST', '/ops/login', { form: operatorLogIn });

    assert.equal(answer.status, 403);
  });

  it('keeps members out, and revokes the token of their log-in', async () => {
    const api = await started();
    const member = newCaller({ roles: ['member'] });
    suite.cloud.acceptsLogIn(member).revokesToken(member.token);

    const answer = await visit(api, 'POST', '/ops/login', { form: operatorLogIn });

    assert.equal(answer.status, 403);
    assert.match(answer.text, /This page is for administrators/);
    assert.equal(answer.headers['set-cookie'], undefined);
  });

  it('asks for a passcode where the account requires one', async () => {
    const api = await started({ rate_limits: { login_failures: 2 } });
    const receipt = 'gAAAAABreceipt';
    suite.cloud.asksForMore(receipt, [['password', 'totp']]).rejectsLogIn();
    const admin = newCaller({ roles: ['admin'] });

    const first = await visit(api, 'POST', '/ops/login', { form: operatorLogIn });
    const sealed = /name="receipt" value="([^"]+)"/.exec(first.text)?.[1] ?? '';
    const send = (passcode: string) =>
      visit(api, 'POST', '/ops/login', { form: { receipt: sealed, passcode } });
    const malformed = await send('12345');
    const wrong = await send('000000');
    suite.cloud.acceptsLogIn(admin, { requestHeaders: { 'openstack-auth-receipt': receipt } });
    const right = await send('123456');
    const used = await send('123456');

    assert.deepEqual(
      [first, malformed, wrong, right, used].map(({ status }) => status),
      [401, 400, 401, 303, 401],
    );
    assert.match(wrong.text, /role="alert">The passcode is wrong\..* value="v1\./s);
    assert.match(used.text, /has been used/);
    assert.match(right.headers['set-cookie']?.[0] ?? '', /^gateway_ops=/);
    for (const { text } of [first, malformed, wrong, used]) {
      assert.match(text, /autocomplete="one-time-code"/);
      assert.doesNotMatch(text, /gAAAAAB|000000|123456|name="password"/);
    }
    assert.doesNotMatch(api.log.text(), /000000|123456/);
  });

  it('begins again when a receipt has expired', async () => {
    const api = await started();

    const form = { receipt: 'v1.unknown', passcode: '123456' };
    const { status, text } = await visit(api, 'POST', '/ops/login', { form });

    assert.equal(status, 401);
    assert.match(text, /name="password"/);
    assert.match(text, /role="alert">The receipt is unknown or has expired/);
  });

  it('changes an expired password, and then asks for a log-in', async () => {
    const api = await started();
    const message = 'The password is expired and needs to be changed for user: 4711.';
    const expired = { body: { error: { code: 401, message, title: 'Unauthorized' } } };
    const form = {
      username: 'admin',
      user_domain: '',
      current_password: 'old-secret',
      new_password: 'new-secret',
      repeated_password: 'new-secret',
    };
    const change = (further = {}) =>
      visit(api, 'POST', '/ops/expired-password', { form: { ...form, ...further } });
    suite.cloud.rejectsLogIn(expired);

    const logIn = await visit(api, 'POST', '/ops/login', { form: operatorLogIn });
    const differs = await change({ repeated_password: 'other' });
    suite.cloud.rejectsLogIn();
    const wrong = await change();
    const password = { path: '/v3/users/4711/password' };
    suite.cloud
      .rejectsLogIn(expired)
      .reply('identity/password-wrong', { ...password, status: 204, body: '' });
    const right = await change();

    assert.deepEqual(
      [logIn, differs, wrong, right].map(({ status }) => status),
      [401, 400, 401, 200],
    );
    assert.match(logIn.text, /action="\/ops\/expired-password".* name="username" value="admin"/s);
    assert.match(differs.text, /role="alert">The new passwords differ/);
    assert.match(wrong.text, /role="alert">The user name, password or domain is wrong/);
    assert.match(right.text, /role="status">The password has been changed.*action="\/ops\/login"/s);
    assert.equal(right.headers['set-cookie'], undefined);
    for (const { text } of [differs, wrong, right]) assert.doesNotMatch(text, /old-secret|new-secret/);
    assert.doesNotMatch(api.log.text(), /old-secret|new-secret/);
    const json = { 'sec-fetch-site': 'cross-site' };
    assert.equal((await visit(api, 'POST', '/ops/expired-password', { form, headers: json })).status, 403);
  });

  it('logs administrators in with a single sign-on, from this browser only', async () => {
    const sso = { providers: [{ id: 'company', name: 'Company <account>', protocol: 'openid' }] };
    const public_endpoint = { url: 'http://127.0.0.1:8000' };
    const api = await started({ sso, public_endpoint });
    const token = newTokenText();
    const unscoped = newCaller({ token, projectId: '', projectName: '', roles: [] });
    const admin = newCaller({ ...unscoped, token: newTokenText(), projectId: 'p-a', roles: ['admin'] });
    const [recorded] = fixtureBody<object[]>('identity/projects-mine', 'projects');
    suite.cloud
      .acceptsToken(unscoped)
      .reply('identity/projects-mine', {
        body: { projects: [{ ...recorded, id: 'p-a', name: 'alpha', enabled: true }] },
      })
      .rescopesToken(token, admin)
      // Also after the refused request, whose code is used up.
      .revokesToken(token, { times: 2 });
    const page = await visit(api, 'GET', '/ops/login');
    assert.match(page.text, /href="\/ops\/sso\/company">Log in with Company &lt;account&gt;</);

    const beginning = await visit(api, 'GET', '/ops/sso/company');
    const [verifier = '', attempt = ''] = (beginning.headers['set-cookie'] ?? []).map((each) => {
      assert.match(each, /; HttpOnly;/);
      return each.split(';')[0] ?? '';
    });
    const callback = encodeURIComponent('http://127.0.0.1:8000/api/auth/sso/callback');
    assert.match(String(beginning.headers.location), new RegExp(`/websso/openid\\?origin=${callback}$`));
    const codeOf = async () => {
      const headers = { origin: 'http://127.0.0.1:5000' };
      const answer = await visit(api, 'POST', '/api/auth/sso/callback', {
        cookie: attempt,
        form: { token },
        headers,
      });
      const [, code = ''] =
        /^http:\/\/127\.0\.0\.1:8000\/ops\/sso#code=(.+)$/.exec(String(answer.headers.location)) ?? [];
      return code;
    };
    const own = { code: await codeOf() };
    const foreign = await visit(api, 'POST', '/ops/sso', { form: { code: await codeOf() } });
    const answer = await visit(api, 'POST', '/ops/sso', { cookie: verifier, form: own });

    assert.equal(foreign.status, 401);
    assert.match(foreign.text, /The single sign-on is unknown, has been used or has expired/);
    assert.deepEqual([answer.status, answer.headers.location], [303, '/ops']);
    const cookie = (answer.headers['set-cookie'] ?? []).find((each) => each.startsWith('gateway_ops='));
    assert.equal((await visit(api, 'GET', '/ops', { cookie: cookie?.split(';')[0] })).status, 200);
  });

  it('counts wrong passwords together with those of the api', async () => {
    const api = await started({ rate_limits: { login_failures: 2 } });
    suite.cloud.rejectsLogIn({ times: 2 });

    const first = await visit(api, 'POST', '/ops/login', { form: operatorLogIn });
    const second = await api.post('/api/auth/login', { body: operatorLogIn });
    const third = await visit(api, 'POST', '/ops/login', { form: operatorLogIn });
    const fourth = await api.post('/api/auth/login', { body: operatorLogIn });

    assert.deepEqual(
      [first, second, third, fourth].map(({ status }) => status),
      [401, 401, 429, 429],
    );
    assert.match(first.text, /role="alert">The user name, password, domain or project is wrong/);
    assert.match(String(third.headers['retry-after']), /^\d+$/);
  });

  it('limits log-ins by address together with those of the api', async () => {
    const api = await started({ rate_limits: { login: 1 } });

    const first = await visit(api, 'POST', '/ops/login', { form: {} });
    const second = await visit(api, 'POST', '/ops/login', { form: {} });

    assert.deepEqual([first.status, second.status], [400, 429]);
  });

  it('shows rejected input as text, except the password, and logs nothing', async () => {
    const api = await started();
    suite.cloud.rejectsLogIn();

    const form = { username: '<script>"mine"', password: 'typed-secret', project_name: 'lab' };
    const { text } = await visit(api, 'POST', '/ops/login', { form });

    assert.ok(text.includes('name="username" value="&lt;script&gt;&quot;mine&quot;"'), text);
    assert.ok(text.includes('name="project_name" value="lab"'), text);
    assert.doesNotMatch(text, /<script>"mine|typed-secret/);
    assert.doesNotMatch(api.log.text(), /mine|typed-secret/);
  });

  it('accepts changes from its own pages only', async () => {
    const api = await started({ ops: { ...ops, allow_changes: true } });
    const { cookie } = await logInOperator(suite, api);
    const pause = (headers: Record<string, string>) =>
      visit(api, 'POST', '/ops/api/admin/queues/maintenance/pause', { cookie, headers });
    const host = `127.0.0.1:${api.port}`;

    const refused = await Promise.all([
      pause({}),
      pause({ 'sec-fetch-site': 'cross-site' }),
      pause({ 'sec-fetch-site': 'same-site', origin: `http://${host}` }),
      pause({ origin: 'https://elsewhere.example.org' }),
      pause({ origin: 'null' }),
      visit(api, 'POST', '/ops/login', { form: operatorLogIn, headers: { 'sec-fetch-site': 'cross-site' } }),
      visit(api, 'POST', '/ops/logout', { cookie, headers: { 'sec-fetch-site': 'cross-site' } }),
    ]);
    const accepted = await Promise.all([pause(fromPage), pause({ origin: `http://${host}` })]);

    assert.deepEqual(
      refused.map(({ status }) => status),
      Array(refused.length).fill(403),
    );
    assert.deepEqual(
      accepted.map(({ status }) => status),
      [200, 200],
    );
  });

  it('is read-only unless changes are allowed', async () => {
    const api = await started();
    const { cookie } = await logInOperator(suite, api);

    const answers = await Promise.all([
      visit(api, 'POST', '/ops/api/admin/queues/maintenance/pause', { cookie }),
      visit(api, 'POST', '/ops/api/admin/queues/maintenance/obliterate', { cookie, body: { force: true } }),
      visit(api, 'POST', '/ops/api/admin/leftovers/server/s-1/remove', { cookie }),
    ]);
    const queues = await visit(api, 'GET', '/ops/api/admin/queues', { cookie });
    const page = await visit(api, 'GET', '/ops/queues', { cookie });

    for (const { status, text } of answers) {
      assert.equal(status, 403);
      assert.match(text, /read-only/);
    }
    assert.match(page.text, /\(read-only\).*data-allows-changes="false"/s);
    assert.doesNotMatch(page.text, /Action/);
    assert.match(queues.text, /"name":"maintenance"[^}]*}[^}]*"is_paused":false/);
  });

  it('pauses and resumes queues where changes are allowed', async () => {
    const api = await started({ ops: { ...ops, allow_changes: true } });
    const { admin, cookie } = await logInOperator(suite, api);
    const change = async (action: string) => {
      const path = `/ops/api/admin/queues/maintenance/${action}`;
      const { status, text } = await visit(api, 'POST', path, { cookie });
      return [status, JSON.parse(text).is_paused];
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

  it('loads nothing from other hosts', async () => {
    const api = await started();
    const { cookie } = await logInOperator(suite, api);

    const { headers, status, text } = await visit(api, 'GET', '/ops/queues', { cookie });
    const [, file] = /<script type="module" src="([^"]+)">/.exec(text) ?? [];
    const script = await visit(api, 'GET', String(file), { cookie });

    assert.equal(status, 200);
    assert.doesNotMatch(text, /https?:/);
    assert.match(String(headers['content-security-policy']), /script-src 'self';style-src 'self'$/);
    assert.doesNotMatch(text, /<style| style=|<script(?! type="module" src=")| on\w+=/);
    assert.equal(script.status, 200);
    assert.doesNotMatch(script.text, /https?:|innerHTML|insertAdjacentHTML/);
  });

  it('never removes or adds jobs', async () => {
    const api = await started({ ops: { ...ops, allow_changes: true } });
    const { cookie } = await logInOperator(suite, api);
    const id = newId();
    const queued = { payload: {}, credentialHandle: null, requestId: 'req-1', projectId: 'p-1' };
    await api.context.queues.add(id, { ...queued, type: 'session.prefill' }, { delayMs: 3_600_000 });
    const before = await visit(api, 'GET', '/ops/api/admin/queues', { cookie });

    const answers = await Promise.all(
      ['/ops/queues/maintenance', '/ops/api/admin/queues/maintenance'].flatMap((queue) => [
        visit(api, 'POST', `${queue}/obliterate`, { cookie, body: { force: true } }),
        visit(api, 'POST', `${queue}/empty`, { cookie }),
        visit(api, 'POST', `${queue}/clean/failed`, { cookie }),
        visit(api, 'POST', `${queue}/promote`, { cookie }),
        visit(api, 'POST', `${queue}/entries/${id}/clean`, { cookie }),
        visit(api, 'PUT', `${queue}/entries/${id}`, { cookie }),
        visit(api, 'DELETE', `${queue}/entries/${id}`, { cookie }),
        visit(api, 'DELETE', queue, { cookie }),
        visit(api, 'POST', `${queue}/add`, {
          cookie,
          body: { name: 'session.prefill', data: {}, options: {} },
        }),
        visit(api, 'POST', `${queue}/entries`, {
          cookie,
          body: { name: 'session.prefill', data: {}, options: {} },
        }),
      ]),
    );

    for (const { status, text } of answers) assert.ok([404, 405].includes(status), text);
    const after = await visit(api, 'GET', '/ops/api/admin/queues', { cookie });
    assert.match(before.text, /"delayed":1/);
    assert.equal(after.text, before.text);
  });

  it('ends when the token is revoked, within the lifetime of cached tokens', async () => {
    const api = await started();
    const { admin, cookie } = await logInOperator(suite, api);
    assert.equal((await visit(api, 'GET', '/ops', { cookie })).status, 200);
    suite.cloud.rejectsToken(admin.token);

    api.clock.advance(31);
    const answer = await visit(api, 'GET', '/ops', { cookie });
    const later = await visit(api, 'GET', '/ops', { cookie });

    assert.deepEqual([answer.status, answer.headers.location], [303, '/ops/login']);
    assert.match(answer.headers['set-cookie']?.[0] ?? '', /^gateway_ops=;.*Expires=Thu, 01 Jan 1970/);
    assert.equal(later.status, 303);
  });

  it('ends when the role is withdrawn, and with the session', async () => {
    const api = await started({ session: { length_seconds: 3600, token_cache_seconds: 30 } });
    const { admin, cookie } = await logInOperator(suite, api);
    suite.cloud.acceptsToken({ ...admin, roles: ['member'] });
    api.clock.advance(31);
    assert.equal((await visit(api, 'GET', '/ops', { cookie })).status, 303);

    const again = await logInOperator(suite, api);
    api.clock.advance(3601);
    assert.equal((await visit(api, 'GET', '/ops', { cookie: again.cookie })).status, 303);
  });

  it('logs out: the token is revoked and the cookie invalid everywhere', async () => {
    const api = await started();
    const other = await suite.start({ settings: { ops }, keyPrefix: api.keyPrefix });
    const { admin, cookie } = await logInOperator(suite, api);
    assert.equal((await visit(other, 'GET', '/ops', { cookie })).status, 200);
    suite.cloud.revokesToken(admin.token);

    const answer = await visit(api, 'POST', '/ops/logout', { cookie });

    assert.deepEqual([answer.status, answer.headers.location], [303, '/ops/login']);
    assert.equal((await visit(other, 'GET', '/ops', { cookie })).status, 303);
  });
});
