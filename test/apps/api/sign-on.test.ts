import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import type { ApiResponse, ErrorBody } from '../../support/api/client.ts';
import { inOtherProject, newCaller, newTokenText, type TestCaller } from '../../support/api/factories.ts';
import { allStoredData } from '../../support/api/stored-data.ts';
import { apiSuite, type TestApi } from '../../support/api/suite.ts';
import { TestClock } from '../../support/api/test-clock.ts';
import { fixtureBody } from '../../support/doubles/upstream.ts';

const ORIGIN = 'https://dashboard.example.org';
/** Of the page from which the identity service sends the token. */
const IDENTITY_ORIGIN = 'https://sso.example.org';
const settings = {
  sso: {
    url: `${IDENTITY_ORIGIN}/identity`,
    providers: [
      { id: 'company', name: 'Company account', identity_provider: 'keycloak', protocol: 'openid' },
      { id: 'campus', name: 'Campus', protocol: 'saml2' },
    ],
    dashboards: [`${ORIGIN}/signed-in`],
  },
  http: { cors_origins: [ORIGIN] },
  public_endpoint: { url: 'https://gateway.example.org/' },
};
const form = { 'content-type': 'application/x-www-form-urlencoded' };

interface Attempt {
  verifier: string;
  cookie: string;
}

describe('single sign-on', () => {
  const suite = apiSuite();
  const [recorded] = fixtureBody<object[]>('identity/projects-mine', 'projects');

  function newVerifier(): { verifier: string; challenge: string } {
    const verifier = randomBytes(32).toString('base64url');
    return { verifier, challenge: createHash('sha256').update(verifier).digest('base64url') };
  }

  async function begin(api: TestApi, origin = ORIGIN): Promise<Attempt> {
    const { challenge, verifier } = newVerifier();
    const query = new URLSearchParams({ origin, challenge });
    const answer = await api.get(`/api/auth/sso/company?${query}`);
    assert.equal(answer.status, 303, answer.text);
    return { verifier, cookie: answer.headers['set-cookie']?.[0]?.split(';')[0] ?? '' };
  }

  function receive(
    api: TestApi,
    { cookie }: Partial<Attempt>,
    { origin = IDENTITY_ORIGIN, token = newTokenText() }: { origin?: string; token?: string } = {},
  ): Promise<ApiResponse<ErrorBody>> {
    const headers = { ...form, origin, ...(cookie !== undefined && { cookie }) };
    return api.post('/api/auth/sso/callback', { headers, rawBody: String(new URLSearchParams({ token })) });
  }

  function codeIn({ headers }: ApiResponse): string {
    const [, code = ''] = /#code=(.*)$/.exec(headers.location ?? '') ?? [];
    return code;
  }

  /** A browser that has returned with the token. */
  async function returned(
    api: TestApi,
    token?: string,
    origin?: string,
  ): Promise<{ code: string; verifier: string }> {
    const { cookie, verifier } = await begin(api, origin);
    return { verifier, code: codeIn(await receive(api, { cookie }, { token })) };
  }

  function exchange(api: TestApi, body: object, origin: string | null = ORIGIN) {
    const headers: Record<string, string> = origin === null ? {} : { origin };
    return api.post<ErrorBody & { token: string; project_id: string }>('/api/auth/exchange', {
      headers,
      body,
    });
  }

  /** The user of the token has one project. */
  function accepts(token: string): TestCaller {
    const unscoped = newCaller({ token, projectId: '', projectName: '' });
    const user = inOtherProject(unscoped, { projectId: 'p-a', projectName: 'alpha' });
    suite.cloud
      .acceptsToken(unscoped)
      .reply('identity/projects-mine', {
        body: { projects: [{ ...recorded, id: 'p-a', name: 'alpha', enabled: true }] },
        requestHeaders: { 'x-auth-token': token },
      })
      .rescopesToken(token, user)
      .revokesToken(token);
    return user;
  }

  function isInvalid({ body, status }: ApiResponse<ErrorBody>): void {
    assert.deepEqual([status, body.code], [401, 'invalid_sign_on']);
    assert.match(body.detail, /^The single sign-on is unknown, has been used or has expired\./);
  }

  it('is not offered by default', async () => {
    const api = await suite.start();

    assert.deepEqual((await api.get('/api/auth/providers')).body, []);
    const { challenge } = newVerifier();
    const answer = await api.get<ErrorBody>(`/api/auth/sso/company?origin=${ORIGIN}&challenge=${challenge}`);
    assert.equal(answer.status, 400);
  });

  it('offers what is configured, without ids of the cloud', async () => {
    const api = await suite.start({ settings });

    assert.deepEqual((await api.get('/api/auth/providers')).body, [
      { id: 'company', name: 'Company account' },
      { id: 'campus', name: 'Campus' },
    ]);
  });

  it('sends the browser to the provider, and recognises it by a cookie', async () => {
    const api = await suite.start({ settings });
    const { challenge } = newVerifier();
    const query = new URLSearchParams({ origin: ORIGIN, challenge });

    const byProvider = await api.get(`/api/auth/sso/company?${query}`);
    const byProtocol = await api.get(`/api/auth/sso/campus?${query}`);

    const callback = encodeURIComponent('https://gateway.example.org/api/auth/sso/callback');
    const federation = `${IDENTITY_ORIGIN}/identity/v3/auth/OS-FEDERATION`;
    assert.equal(
      byProvider.headers.location,
      `${federation}/identity_providers/keycloak/protocols/openid/websso?origin=${callback}`,
    );
    assert.equal(byProtocol.headers.location, `${federation}/websso/saml2?origin=${callback}`);
    assert.equal(byProvider.headers['cache-control'], 'no-store');
    assert.match(
      byProvider.headers['set-cookie']?.[0] ?? '',
      /^__Host-gateway_sign_on=[^;]+; Max-Age=600; Path=\/; HttpOnly; Secure; SameSite=None$/,
    );
  });

  it('has a cookie for the same site over plain HTTP', async () => {
    const api = await suite.start({
      settings: { ...settings, public_endpoint: { url: 'http://127.0.0.1:8000' } },
    });
    const query = new URLSearchParams({ origin: ORIGIN, challenge: newVerifier().challenge });

    const { headers } = await api.get(`/api/auth/sso/company?${query}`);

    assert.match(
      headers['set-cookie']?.[0] ?? '',
      /^gateway_sign_on=.*; Path=\/api\/auth\/sso; HttpOnly; SameSite=Lax$/,
    );
  });

  it('redirects nobody for a foreign origin', async () => {
    const api = await suite.start({ settings });
    const { challenge } = newVerifier();

    for (const origin of [
      'https://evil.example',
      `${ORIGIN}.evil.example`,
      `${ORIGIN}/signed-in`,
      `${ORIGIN}@evil.example`,
      'null',
      '',
    ]) {
      const query = new URLSearchParams({ origin, challenge });
      const answer = await api.get<ErrorBody>(`/api/auth/sso/company?${query}`);

      assert.deepEqual([answer.status, answer.body.code], [400, 'invalid_input'], origin);
      assert.deepEqual([answer.headers.location, answer.headers['set-cookie']], [undefined, undefined]);
    }
  });

  it('is 404 for an unknown provider, 400 without a challenge', async () => {
    const api = await suite.start({ settings });
    const { challenge } = newVerifier();
    const query = new URLSearchParams({ origin: ORIGIN, challenge });

    assert.equal((await api.get(`/api/auth/sso/unknown?${query}`)).status, 404);
    assert.equal((await api.get(`/api/auth/sso/company?origin=${ORIGIN}`)).status, 400);
    assert.equal((await api.get(`/api/auth/sso/company?origin=${ORIGIN}&challenge=short`)).status, 400);
    assert.equal((await api.get('/api/auth/sso/callback')).status, 405);
  });

  it('issues a token for the first project, and revokes the received', async () => {
    const api = await suite.start({ settings });
    const token = newTokenText();
    const user = accepts(token);

    const answer = await exchange(api, await returned(api, token));

    assert.equal(answer.status, 200, answer.text);
    assert.deepEqual([answer.body.token, answer.body.project_id], [user.token, 'p-a']);
    assert.equal(answer.headers['cache-control'], 'no-store');
    assert.equal(answer.headers['access-control-allow-origin'], ORIGIN);
    // The token is known, so its first use asks the identity service nothing.
    assert.equal((await api.get('/api/auth/me', { as: user })).status, 200);
    assert.equal((await api.get('/api/auth/session-info', { as: user })).status, 200);
  });

  it('puts the session into a cookie like a log-in', async () => {
    const own = 'https://gateway.example.org';
    const api = await suite.start({
      settings: {
        ...settings,
        sso: { ...settings.sso, dashboards: [`${own}/signed-in`] },
        http: { cors_origins: [] },
        session: { cookies: true, token_cache_seconds: 600 },
      },
    });
    const token = newTokenText();
    const user = accepts(token);
    const body = { ...(await returned(api, token, own)), use_cookie: true };

    const answer = await exchange(api, body, own);

    assert.deepEqual([answer.status, answer.body.token, answer.body.project_id], [200, '', 'p-a']);
    assert.ok(!(answer.text + JSON.stringify(answer.headers)).includes(user.token));
    const [cookie = '', ...attributes] = answer.headers['set-cookie']?.[0]?.split('; ') ?? [];
    assert.deepEqual(attributes, ['Path=/', 'HttpOnly', 'Secure', 'SameSite=Strict']);
    const page = { cookie, 'sec-fetch-site': 'same-origin' };
    const me = await api.get<{ user_id: string }>('/api/auth/me', { headers: page });
    assert.deepEqual([me.status, me.body.user_id], [200, user.userId]);
    const refused = await api.post<ErrorBody>('/api/auth/extend-session', { headers: page });
    assert.deepEqual([refused.status, refused.body.code], [403, 'csrf_refused']);
    const headers = { ...page, 'x-gateway-csrf': '1' };
    assert.equal((await api.post('/api/auth/extend-session', { headers })).status, 200);
  });

  it('keeps the code where cookies are not enabled', async () => {
    const api = await suite.start({ settings });
    const token = newTokenText();
    accepts(token);
    const body = await returned(api, token);

    const refused = await exchange(api, { ...body, use_cookie: true });

    assert.deepEqual([refused.status, refused.body.errors?.[0]?.field], [400, 'body.use_cookie']);
    assert.equal(refused.headers['set-cookie'], undefined);
    assert.equal((await exchange(api, body)).status, 200);
  });

  it('sends the browser back to its page with nothing but a code', async () => {
    const api = await suite.start({ settings });
    const token = newTokenText();
    const { cookie } = await begin(api);

    const answer = await receive(api, { cookie }, { token });

    assert.equal(answer.status, 303);
    assert.match(
      answer.headers.location ?? '',
      /^https:\/\/dashboard\.example\.org\/signed-in#code=[\w-]{43}$/,
    );
    assert.match(answer.headers['set-cookie']?.[0] ?? '', /^__Host-gateway_sign_on=; Max-Age=0; /);
    const stored = (await allStoredData(api)).join('\n');
    assert.ok(!stored.includes(token), 'the token is stored in clear');
    assert.ok(!stored.includes(codeIn(answer)), 'the code is stored in clear');
    const [key = ''] = await api.context.redis.queue.keys(`${api.keyPrefix}sign-on-code:*`);
    const ttlMs = await api.context.redis.queue.pttl(key);
    assert.ok(ttlMs > 0 && ttlMs <= 30_000, `the code is good for ${ttlMs} ms`);
  });

  it('refuses forms that the identity service has not sent', async () => {
    const api = await suite.start({ settings });
    const attempt = await begin(api);

    for (const origin of ['https://evil.example', ORIGIN, 'null', `${IDENTITY_ORIGIN}.evil.example`]) {
      isInvalid(await receive(api, attempt, { origin }));
    }
    const token = newTokenText();
    const headers = { ...form, cookie: attempt.cookie };
    isInvalid(await api.post<ErrorBody>('/api/auth/sso/callback', { headers, rawBody: `token=${token}` }));
  });

  it('refuses browsers that began too long ago or never, revoking tokens', async () => {
    const clock = new TestClock();
    const api = await suite.start({ settings, clock });
    const { cookie } = await begin(api);

    for (const other of [undefined, '__Host-gateway_sign_on=made-up', cookie.replace('__Host-', '')]) {
      const token = newTokenText();
      suite.cloud.revokesToken(token);
      isInvalid(await receive(api, { cookie: other }, { token }));
    }
    clock.advance(600);
    const token = newTokenText();
    suite.cloud.revokesToken(token);
    isInvalid(await receive(api, { cookie }, { token }));
  });

  it('refuses bodies that are no form with a token', async () => {
    const api = await suite.start({ settings });
    const { cookie } = await begin(api);
    const headers = { ...form, cookie, origin: IDENTITY_ORIGIN };

    const json = await api.post<ErrorBody>('/api/auth/sso/callback', { body: { token: 'x' } });
    const empty = await api.post<ErrorBody>('/api/auth/sso/callback', { headers, rawBody: 'token=' });
    const twice = await api.post<ErrorBody>('/api/auth/sso/callback', {
      headers,
      rawBody: 'token=a&token=b',
    });
    const noHeader = await api.post<ErrorBody>('/api/auth/sso/callback', {
      headers,
      rawBody: 'token=%E2%98%83',
    });

    const statuses = [json, empty, twice, noHeader].map(({ status }) => status);
    assert.deepEqual(statuses, [415, 400, 400, 400]);
    assert.deepEqual(suite.cloud.calls(), []);
  });

  it('accepts a code once', async () => {
    const api = await suite.start({ settings });
    const token = newTokenText();
    accepts(token);
    const body = await returned(api, token);

    assert.equal((await exchange(api, body)).status, 200);
    isInvalid(await exchange(api, body));
  });

  it('accepts a code from its page only, and else revokes its token', async () => {
    const api = await suite.start({ settings });
    const another = newVerifier().verifier;

    for (const origin of ['https://evil.example', 'null', null]) {
      const token = newTokenText();
      suite.cloud.revokesToken(token);
      isInvalid(await exchange(api, await returned(api, token), origin));
    }
    const token = newTokenText();
    suite.cloud.revokesToken(token);
    const { code, verifier } = await returned(api, token);
    isInvalid(await exchange(api, { code, verifier: another }));
    // The attempt has used the code up.
    isInvalid(await exchange(api, { code, verifier }));
    isInvalid(await exchange(api, { code: 'made-up', verifier }));
  });

  it('refuses a code whose token the identity service does not know', async () => {
    const api = await suite.start({ settings });
    const token = newTokenText();
    suite.cloud.rejectsToken(token).revokesToken(token, { status: 401 });

    isInvalid(await exchange(api, await returned(api, token)));
  });

  it('is 403 no_project without a project, and revokes the token', async () => {
    const api = await suite.start({ settings });
    const unscoped = newCaller({ projectId: '', projectName: '' });
    suite.cloud
      .acceptsToken(unscoped)
      .reply('identity/projects-mine', { body: { projects: [] } })
      .revokesToken(unscoped.token);

    const answer = await exchange(api, await returned(api, unscoped.token));

    assert.deepEqual([answer.status, answer.body.code], [403, 'no_project']);
  });

  it('is limited like log-ins, and leaves audit records like them', async () => {
    const api = await suite.start({ settings: { ...settings, rate_limits: { login: 2 } } });
    const token = newTokenText();
    const user = accepts(token);
    const body = await returned(api, token);
    assert.equal((await exchange(api, body)).status, 200);

    const { status } = await exchange(api, body);

    assert.equal(status, 429);
    const audit = api.log.withMessage('Audit').find((line) => line.route === '/api/auth/exchange');
    assert.deepEqual([audit?.user_id, audit?.status], [user.userId, 200]);
  });

  it('never logs tokens, codes and verifiers', async () => {
    const api = await suite.start({ settings });
    const token = newTokenText();
    accepts(token);
    const { code, verifier } = await returned(api, token);
    await exchange(api, { code, verifier });
    isInvalid(await exchange(api, { code, verifier }));

    const log = api.log.text();

    for (const secret of [token, code, verifier]) assert.ok(!log.includes(secret));
  });
});
