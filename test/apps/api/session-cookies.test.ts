import assert from 'node:assert/strict';
import type { ErrorBody } from '../../support/api/client.ts';
import { inOtherProject, newCaller, type TestCaller } from '../../support/api/factories.ts';
import { allStoredData } from '../../support/api/stored-data.ts';
import { type ApiOptions, apiSuite, type TestApi } from '../../support/api/suite.ts';

const body = { username: 'demo', password: 'demo-secret', use_cookie: true };
const CSRF = { 'x-gateway-csrf': '1' };
const OWN_PAGE = { 'sec-fetch-site': 'same-origin' };
const OWN_SCRIPT = { ...OWN_PAGE, ...CSRF };

describe('a session in a cookie', function () {
  this.timeout(120_000);
  const suite = apiSuite();
  const start = (options: ApiOptions = {}) =>
    suite.start({ settings: { session: { cookies: true, token_cache_seconds: 600 } }, ...options });

  /** The value for the `Cookie` header. */
  async function logIn(api: TestApi, caller: TestCaller): Promise<string> {
    suite.cloud.acceptsLogIn(caller);
    const answer = await api.post<{ token: string }>('/api/auth/login', { body, headers: OWN_SCRIPT });
    assert.deepEqual([answer.status, answer.body.token], [200, '']);
    assert.doesNotMatch(answer.text + JSON.stringify(answer.headers), /gAAAAA/);
    return cookieOf(answer.headers['set-cookie']);
  }

  function cookieOf(headers: string[] | undefined): string {
    assert.equal(headers?.length, 1);
    const [pair = '', ...attributes] = (headers?.[0] ?? '').split('; ');
    assert.deepEqual(attributes, ['Path=/api', 'HttpOnly', 'SameSite=Strict']);
    return pair;
  }

  const send = (
    api: TestApi,
    method: string,
    path: string,
    headers: Record<string, string>,
    more: object = {},
  ) => api.request<ErrorBody & { user_id: string; token: string }>(method, path, { headers, ...more });

  it('authenticates reads and changes of the own page', async () => {
    const api = await start();
    const caller = newCaller();
    const cookie = await logIn(api, caller);

    const read = await send(api, 'GET', '/api/auth/me', { cookie, ...OWN_PAGE });
    const extended = await send(api, 'POST', '/api/auth/extend-session', { cookie, ...OWN_SCRIPT });

    assert.deepEqual([read.status, read.body.user_id, extended.status], [200, caller.userId, 200]);
    assert.doesNotMatch((await allStoredData(api)).join('\n'), new RegExp(caller.token));
  });

  it('serves lists and streams in the project of the session', async () => {
    const api = await start();
    const cookie = await logIn(api, newCaller());
    suite.cloud.reply('compute/flavors');

    const headers = { cookie, ...OWN_PAGE };
    const statuses = [];
    for (const path of [
      '/api/flavors',
      '/api/flavors',
      '/api/jobs/00000000-0000-4000-8000-000000000000/events',
    ])
      statuses.push((await send(api, 'GET', path, headers)).status);

    assert.deepEqual(statuses, [200, 200, 404]);
  });

  it('refuses changes without the header, and requests of other pages', async () => {
    const api = await start();
    const cookie = await logIn(api, newCaller());
    const foreign = { origin: 'https://evil.example.org' };

    for (const [method, headers] of [
      ['POST', OWN_PAGE],
      ['POST', { ...OWN_PAGE, 'x-gateway-csrf': '' }],
      ['POST', CSRF],
      ['POST', { ...CSRF, ...foreign }],
      ['POST', { ...CSRF, origin: 'null' }],
      ['POST', { ...CSRF, 'sec-fetch-site': 'cross-site' }],
      ['POST', { ...CSRF, 'sec-fetch-site': 'same-site' }],
      ['GET', { 'sec-fetch-site': 'cross-site' }],
      ['GET', { 'sec-fetch-site': 'same-site' }],
      ['GET', foreign],
    ] as const) {
      const path = method === 'GET' ? '/api/auth/me' : '/api/auth/extend-session';
      const answer = await send(api, method, path, { cookie, ...headers });
      assert.deepEqual([answer.status, answer.body.code], [403, 'csrf_refused'], JSON.stringify(headers));
    }
    const listed = await send(api, 'GET', '/api/flavors', { cookie, 'sec-fetch-site': 'cross-site' });
    assert.equal(listed.status, 403);
  });

  it('accepts changes of browsers that send only the origin', async () => {
    const api = await start();
    const cookie = await logIn(api, newCaller());
    const origin = `http://127.0.0.1:${api.port}`;

    const own = await send(api, 'POST', '/api/auth/extend-session', {
      cookie,
      origin,
      host: `127.0.0.1:${api.port}`,
      ...CSRF,
    });

    assert.equal(own.status, 200);
  });

  it('gives way to a token in the header', async () => {
    const api = await start();
    const cookie = await logIn(api, newCaller());
    const other = suite.cloud.validCaller(newCaller({ userId: 'somebody-else' }));

    const valid = await send(api, 'POST', '/api/auth/extend-session', { cookie }, { as: other });
    const me = await send(api, 'GET', '/api/auth/me', { cookie }, { as: other });
    const empty = await send(api, 'GET', '/api/auth/me', { cookie, 'x-auth-token': '', ...OWN_PAGE });

    assert.deepEqual([valid.status, me.body.user_id, empty.status], [200, 'somebody-else', 401]);
  });

  it('switches the project without a token in the response', async () => {
    const api = await start();
    const caller = newCaller();
    const other = inOtherProject(caller);
    const cookie = await logIn(api, caller);
    suite.cloud.rescopesToken(caller.token, other);

    const switched = await send(
      api,
      'POST',
      '/api/auth/token',
      { cookie, ...OWN_SCRIPT },
      { body: { project_id: other.projectId } },
    );

    assert.deepEqual([switched.status, switched.body.token], [200, '']);
    const next = cookieOf(switched.headers['set-cookie']);
    const me = await api.get<{ project_id: string }>('/api/auth/me', {
      headers: { cookie: next, ...OWN_PAGE },
    });
    assert.equal(me.body.project_id, other.projectId);
  });

  it('switches the project again when the request is repeated', async () => {
    const api = await start();
    const caller = newCaller();
    const other = inOtherProject(caller);
    const cookie = await logIn(api, caller);
    const headers = { cookie, ...OWN_SCRIPT, 'idempotency-key': 'switch' };
    const body = { project_id: other.projectId };

    for (const _ of ['first', 'repeated']) {
      suite.cloud.rescopesToken(caller.token, other);
      const switched = await send(api, 'POST', '/api/auth/token', headers, { body });
      assert.equal(switched.status, 200);
      assert.match(cookieOf(switched.headers['set-cookie']), /./);
    }
  });

  it('ends with a log-out, which removes the cookie', async () => {
    const api = await start();
    const caller = newCaller();
    const cookie = await logIn(api, caller);
    suite.cloud.revokesToken(caller.token);

    const answer = await send(api, 'POST', '/api/auth/logout', { cookie, ...OWN_SCRIPT });

    assert.equal(answer.status, 204);
    assert.match(answer.headers['set-cookie']?.[0] ?? '', /^gateway_session=; Max-Age=0;/);
    const after = await send(api, 'GET', '/api/auth/me', { cookie, ...OWN_PAGE });
    assert.deepEqual([after.status, after.body.code], [401, 'session_expired']);
  });

  it('can be set by no other host over https', async () => {
    const session = { cookies: true, token_cache_seconds: 600 };
    const public_endpoint = { url: 'https://gateway.example.org' };
    const api = await start({ settings: { session, public_endpoint } });
    const caller = newCaller();
    suite.cloud.acceptsLogIn(caller);

    const answer = await api.post('/api/auth/login', { body });

    const [cookie = '', ...attributes] = answer.headers['set-cookie']?.[0]?.split('; ') ?? [];
    assert.match(cookie, /^__Host-gateway_session=./);
    assert.deepEqual(attributes, ['Path=/', 'HttpOnly', 'Secure', 'SameSite=Strict']);
    assert.equal((await send(api, 'GET', '/api/auth/me', { cookie, ...OWN_PAGE })).status, 200);
    const planted = cookie.replace('__Host-', '');
    assert.equal((await send(api, 'GET', '/api/auth/me', { cookie: planted, ...OWN_PAGE })).status, 401);
    suite.cloud.revokesToken(caller.token);
    const ended = await send(api, 'POST', '/api/auth/logout', { cookie, ...OWN_SCRIPT });
    assert.match(ended.headers['set-cookie']?.[0] ?? '', /^__Host-gateway_session=; Max-Age=0; Path=\/;/);
  });

  it('has a name of its own below a path of the host', async () => {
    const names = [];
    for (const path of ['', '/north', '/south/cloud/']) {
      const public_endpoint = { url: `https://gateway.example.org${path}` };
      const api = await start({ settings: { session: { cookies: true }, public_endpoint } });
      suite.cloud.acceptsLogIn(newCaller());
      const { headers } = await api.post('/api/auth/login', { body });
      names.push(headers['set-cookie']?.[0]?.split('=')[0]);
    }

    assert.deepEqual(names, [
      '__Host-gateway_session',
      '__Host-gateway_session-north',
      '__Host-gateway_session-south-cloud',
    ]);
  });

  it('is 409 for a token that is too long, which is revoked', async () => {
    const api = await start();
    const caller = newCaller({ token: `gAAAAAB${'x'.repeat(4000)}` });
    suite.cloud.acceptsLogIn(caller).revokesToken(caller.token);

    const answer = await api.post<ErrorBody>('/api/auth/login', { body });

    assert.deepEqual([answer.status, answer.body.code], [409, 'conflict']);
    assert.equal(answer.headers['set-cookie'], undefined);
  });

  it('is not accepted when it was changed', async () => {
    const api = await start();
    const cookie = await logIn(api, newCaller());

    for (const forged of [`${cookie}x`, 'gateway_session=v1.key1.AAAA', 'gateway_session='])
      assert.equal((await send(api, 'GET', '/api/auth/me', { cookie: forged, ...OWN_PAGE })).status, 401);
  });

  it('is off by default: 400, and no cookie counts', async () => {
    const on = await start();
    const cookie = await logIn(on, newCaller());
    const off = await suite.start({ keyPrefix: on.keyPrefix });

    const asked = await off.post<ErrorBody>('/api/auth/login', { body });
    const used = await send(off, 'GET', '/api/auth/me', { cookie, ...OWN_PAGE });

    assert.deepEqual([asked.status, asked.body.errors?.[0]?.field], [400, 'body.use_cookie']);
    assert.equal(used.status, 401);
  });
});
