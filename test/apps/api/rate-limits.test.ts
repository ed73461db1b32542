import assert from 'node:assert/strict';
import type { ApiResponse, ErrorBody } from '../../support/api/client.ts';
import { inOtherProject, newCaller, tokenBody } from '../../support/api/factories.ts';
import { apiSuite, type TestApi } from '../../support/api/suite.ts';
import { eventually } from '../../support/eventually.ts';

const login = { username: 'demo', password: 'demo-secret' };

describe('a rate limit', () => {
  const suite = apiSuite();

  /** A request that is counted and then refused. */
  function tryLogin(api: TestApi, headers: Record<string, string> = {}): Promise<ApiResponse<ErrorBody>> {
    return api.post<ErrorBody>('/api/auth/login', { body: {}, headers });
  }

  it('reports the remaining requests', async () => {
    const api = await suite.start({ settings: { rate_limits: { login: 3 } } });

    const first = await tryLogin(api);
    const second = await tryLogin(api);

    assert.equal(first.headers['ratelimit-limit'], '3');
    assert.equal(first.headers['ratelimit-remaining'], '2');
    assert.equal(second.headers['ratelimit-remaining'], '1');
    assert.ok(
      Number(first.headers['ratelimit-reset']) > 50 && Number(first.headers['ratelimit-reset']) <= 60,
    );
  });

  it('refuses one request too many, with a Retry-After', async () => {
    const api = await suite.start({ settings: { rate_limits: { login: 2 } } });
    await tryLogin(api);
    await tryLogin(api);

    const answer = await tryLogin(api);

    assert.equal(answer.status, 429);
    assert.equal(answer.body.code, 'rate_limited');
    assert.equal(answer.headers['ratelimit-remaining'], '0');
    const retryAfter = Number(answer.headers['retry-after']);
    assert.ok(retryAfter > 50 && retryAfter <= 60, String(retryAfter));
  });

  it('is shared by all processes', async () => {
    const api = await suite.start({ settings: { rate_limits: { login: 2 } } });
    const other = await suite.start({ settings: { rate_limits: { login: 2 } }, keyPrefix: api.keyPrefix });

    const statuses = [
      (await tryLogin(api)).status,
      (await tryLogin(other)).status,
      (await tryLogin(api)).status,
      (await tryLogin(other)).status,
    ];

    assert.deepEqual(statuses, [400, 400, 429, 429]);
  });

  it('is off when it is 0', async () => {
    const api = await suite.start({ settings: { rate_limits: { login: 0, login_failures: 0 } } });

    const answers = await Promise.all(Array.from({ length: 40 }, () => tryLogin(api)));

    for (const { status, headers } of answers) {
      assert.equal(status, 400);
      assert.equal(headers['ratelimit-limit'], undefined);
    }
  });

  it('counts log-ins by the address of the peer, ignoring forwarded addresses', async () => {
    const api = await suite.start({ settings: { rate_limits: { login: 1 } } });

    const first = await tryLogin(api, { 'x-forwarded-for': '203.0.113.1' });
    const second = await tryLogin(api, { 'x-forwarded-for': '203.0.113.2' });

    assert.deepEqual([first.status, second.status], [400, 429]);
  });

  it('counts log-ins by forwarded address behind a trusted proxy', async () => {
    const api = await suite.start({
      settings: { rate_limits: { login: 1 }, http: { trusted_proxies: ['loopback'] } },
    });

    const statuses = [];
    for (const address of ['203.0.113.1', '203.0.113.2', '203.0.113.1']) {
      statuses.push((await tryLogin(api, { 'x-forwarded-for': address })).status);
    }

    assert.deepEqual(statuses, [400, 400, 429]);
  });

  it('counts log-ins by forwarded address, whatever port it has', async () => {
    const http = { trusted_proxies: ['loopback'] };
    const api = await suite.start({ settings: { rate_limits: { login: 1 }, http } });

    const statuses = [];
    for (const address of ['203.0.113.1:40001', '203.0.113.1:40002, 127.0.0.1:7', '[2001:db8::7]:40001']) {
      statuses.push((await tryLogin(api, { 'x-forwarded-for': address })).status);
    }

    assert.deepEqual(statuses, [400, 429, 400]);
  });

  it('counts other requests by user and project', async () => {
    const api = await suite.start({ settings: { rate_limits: { stream_ticket: 1 } } });
    const caller = newCaller();
    const other = inOtherProject(caller);
    const colleague = newCaller({ userId: 'colleague' });
    suite.cloud.acceptsToken(caller).acceptsToken(other).acceptsToken(colleague);

    const statuses = [];
    for (const as of [caller, other, colleague, caller]) {
      statuses.push((await api.post('/api/events/ticket', { as })).status);
    }

    assert.deepEqual(statuses, [201, 201, 201, 429]);
  });

  it('is shared by both ways to create a volume', async () => {
    const api = await suite.start({ settings: { rate_limits: { volume_create: 1 } } });
    const as = suite.cloud.validCaller(newCaller());
    const body = { name: 'v', size_gb: 1 };
    suite.cloud.reply('block-storage/volume-create', { status: 403, body: {} });

    const first = await api.post('/api/volumes', { as, body });
    const second = await api.post('/api/volumes/async', { as, body });

    assert.deepEqual([first.status, second.status], [403, 429]);
  });

  it('of creations counts no request that is refused', async () => {
    const api = await suite.start({ settings: { rate_limits: { volume_create: 1 } } });
    const as = suite.cloud.validCaller(newCaller());
    const body = { name: 'v', size_gb: 1 };
    const refuse = { badRequest: { code: 400, message: 'Invalid input' } };
    const create = async (asked: object) => (await api.post('/api/volumes', { as, body: asked })).status;

    assert.equal(await create({}), 400);
    suite.cloud.reply('block-storage/volume-create', { status: 400, body: refuse });
    assert.equal(await create(body), 400);
    suite.cloud.reply('block-storage/volume-quota', { optional: true });
    assert.equal(await create(body), 409);
    suite.cloud.reply('block-storage/volume-create', { status: 403, body: {} });
    assert.equal(await create(body), 403);

    assert.equal(await create(body), 429);
  });
});

describe('the limit of failed log-ins', () => {
  const suite = apiSuite();
  const settings = { rate_limits: { login: 0, login_failures: 2 } };

  const proxied = (limits: Record<string, number>) => ({
    rate_limits: {
      login: 0,
      login_failures: 0,
      login_failures_by_name: 0,
      login_failures_by_address: 0,
      ...limits,
    },
    http: { trusted_proxies: ['loopback'] },
  });

  function tryFrom(api: TestApi, address: string, differences: Record<string, string> = {}) {
    const headers = { 'x-forwarded-for': address };
    return api.post('/api/auth/login', { body: { ...login, ...differences }, headers });
  }

  /** Different users, so that no other limit applies. */
  const tryUsers = async (api: TestApi, count: number, address = '203.0.113.1') => {
    const statuses = [];
    for (let user = 0; user < count; user += 1) {
      statuses.push((await tryFrom(api, address, { username: `user-${user}` })).status);
    }
    return statuses;
  };

  /** Failures count once they have ended, just after their response. */
  const refusesAddress = (api: TestApi, address = '203.0.113.1') =>
    eventually(async () => {
      suite.cloud.rejectsLogIn({ optional: true });
      return (await tryFrom(api, address, { username: 'another' })).status === 429;
    });

  it('counts wrong passwords by address, whatever the user', async () => {
    const api = await suite.start({ settings: proxied({ login_failures_by_address: 3 }) });
    suite.cloud.rejectsLogIn({ times: 3 });

    assert.deepEqual(await tryUsers(api, 3), [401, 401, 401]);
    suite.cloud.acceptsLogIn(newCaller());
    assert.equal((await tryFrom(api, '203.0.113.2')).status, 200);

    await refusesAddress(api);
  });

  it('lets any number of users of one address log in at once', async () => {
    const api = await suite.start({ settings: proxied({ login: 300, login_failures_by_address: 1 }) });
    suite.cloud.acceptsLogIn(newCaller(), { times: 40 });

    const users = Array.from({ length: 40 }, (_, user) => ({ username: `user-${user}` }));
    const answers = await Promise.all(users.map((user) => tryFrom(api, '203.0.113.1', user)));

    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]));
  });

  it('is higher in networks whose users share addresses', async () => {
    const { http, rate_limits } = proxied({ login: 2, login_failures_by_address: 1, refusals: 1 });
    const shared_networks = [
      { network: '203.0.113.0/28', factor: 3 },
      { network: '2001:db8::/32', factor: 2 },
    ];
    const settings = { http, rate_limits: { ...rate_limits, shared_networks } };
    const api = await suite.start({ settings });
    suite.cloud.acceptsLogIn(newCaller(), { times: 12 });

    assert.deepEqual(await tryUsers(api, 3, '203.0.113.16'), [200, 200, 429]);
    assert.deepEqual(await tryUsers(api, 7, '203.0.113.1'), [...Array(6).fill(200), 429]);
    assert.deepEqual(await tryUsers(api, 5, '2001:db8::1'), [...Array(4).fill(200), 429]);
    const headers = { 'x-forwarded-for': '203.0.113.2' };
    suite.cloud.rejectsLogIn({ times: 3 });
    assert.deepEqual(await tryUsers(api, 3, headers['x-forwarded-for']), [401, 401, 401]);
    await refusesAddress(api, headers['x-forwarded-for']);
    for (const status of [401, 401, 401, 429]) {
      const unknown = newCaller();
      if (status === 401) suite.cloud.rejectsToken(unknown.token);
      assert.equal((await api.get('/api/auth/me', { as: unknown, headers })).status, status);
    }
  });

  it('counts wrong passwords by user name', async () => {
    const api = await suite.start({ settings });
    suite.cloud.rejectsLogIn({ times: 2 }).acceptsLogIn(newCaller());

    const statuses = [];
    for (const username of ['demo', 'demo', 'demo', 'alice']) {
      statuses.push((await api.post('/api/auth/login', { body: { ...login, username } })).status);
    }

    assert.deepEqual(statuses, [401, 401, 429, 200]);
  });

  for (const [what, differences] of [
    ['in other case', { username: 'DeMo' }],
    ['with blanks behind it', { username: 'demo  ' }],
    ['with accents', { username: 'dém\u00f6' }],
    ['with accents of their own', { username: 'de\u0301mo' }],
    ['with characters that are not seen', { username: 'de\u200bmo' }],
    ['in full width', { username: '\uff44emo' }],
    ['with its domain in other case', { domain_name: 'DEFAULT ' }],
    ['with the domain in another field', { user_domain: 'Default', project_domain: 'Physics' }],
    ['with the id of the first domain', { user_domain: 'default' }],
  ] as [string, Record<string, string>][]) {
    it(`treats the name ${what} as the same`, async () => {
      const api = await suite.start({ settings });
      suite.cloud.rejectsLogIn({ times: 2 });
      for (let count = 0; count < 2; count += 1) await api.post('/api/auth/login', { body: login });

      const answer = await api.post('/api/auth/login', { body: { ...login, ...differences } });

      assert.equal(answer.status, 429);
    });
  }

  it('distinguishes users of the same name in different domains', async () => {
    const api = await suite.start({ settings });
    suite.cloud.rejectsLogIn({ times: 2 }).acceptsLogIn(newCaller());
    for (let count = 0; count < 2; count += 1) await api.post('/api/auth/login', { body: login });

    const answer = await api.post('/api/auth/login', { body: { ...login, domain_name: 'Physics' } });

    assert.equal(answer.status, 200);
  });

  it('does not lock out a user because of failures from other addresses', async () => {
    const api = await suite.start({ settings: proxied({ login_failures: 2 }) });
    suite.cloud.rejectsLogIn({ times: 2 }).acceptsLogIn(newCaller());

    const statuses = [];
    for (const address of ['203.0.113.1', '203.0.113.1', '203.0.113.1', '203.0.113.2']) {
      statuses.push((await tryFrom(api, address)).status);
    }

    assert.deepEqual(statuses, [401, 401, 429, 200]);
  });

  it('is shared by all processes', async () => {
    const api = await suite.start({ settings });
    const other = await suite.start({ settings, keyPrefix: api.keyPrefix });
    suite.cloud.rejectsLogIn({ times: 2 });

    const statuses = [];
    for (const process of [api, other, other]) {
      statuses.push((await process.post('/api/auth/login', { body: login })).status);
    }

    assert.deepEqual(statuses, [401, 401, 429]);
  });

  const PHYSICS = { id: 'b5'.repeat(16), name: 'Physics' };

  /** A log-in of a user of the domain. */
  function acceptsInPhysics(): void {
    const user = newCaller();
    const { token } = tokenBody(user) as { token: { user: object } };
    const body = { token: { ...token, user: { ...token.user, domain: PHYSICS } } };
    suite.cloud.acceptsLogIn(user, { body });
  }

  for (const known of ['name', 'id'] as const) {
    it(`counts a domain once after a log-in by ${known}`, async () => {
      const api = await suite.start({ settings });
      const other = await suite.start({ settings, keyPrefix: api.keyPrefix });
      acceptsInPhysics();
      suite.cloud.rejectsLogIn({ times: 2 });
      const tryIn = async (process: TestApi, user_domain: string) =>
        (await process.post('/api/auth/login', { body: { ...login, user_domain } })).status;
      assert.equal(await tryIn(api, PHYSICS[known]), 200);
      await eventually(() => isUncounted(api));

      const statuses = [
        await tryIn(api, PHYSICS.name),
        await tryIn(other, PHYSICS.id),
        await tryIn(api, PHYSICS.name),
        await tryIn(other, PHYSICS.id),
      ];

      assert.deepEqual(statuses, [401, 401, 429, 429]);
    });
  }

  it("exempts an address of a log-in by the domain's other form", async () => {
    const api = await suite.start({ settings: proxied({ login_failures_by_name: 2 }) });
    acceptsInPhysics();
    suite.cloud.rejectsLogIn({ times: 2 });
    acceptsInPhysics();
    await tryFrom(api, '198.51.100.7', { user_domain: PHYSICS.id });
    for (const address of ['203.0.113.1', '203.0.113.2']) {
      await tryFrom(api, address, { user_domain: PHYSICS.name });
    }

    const stranger = await tryFrom(api, '203.0.113.3', { user_domain: PHYSICS.id });
    const user = await tryFrom(api, '198.51.100.7', { user_domain: PHYSICS.name });

    assert.deepEqual([stranger.status, user.status], [429, 200]);
  });

  it('is shared by all addresses above the limit for a name', async () => {
    const api = await suite.start({ settings: proxied({ login_failures_by_name: 2 }) });
    suite.cloud.rejectsLogIn({ times: 2 });

    const statuses = [];
    for (const address of ['203.0.113.1', '203.0.113.2', '203.0.113.3']) {
      statuses.push((await tryFrom(api, address, { username: 'demo' })).status);
    }

    assert.deepEqual(statuses, [401, 401, 429]);
  });

  it("exempts an address of the user's earlier log-in", async () => {
    const api = await suite.start({ settings: proxied({ login_failures_by_name: 2 }) });
    suite.cloud.acceptsLogIn(newCaller()).rejectsLogIn({ times: 2 }).acceptsLogIn(newCaller());
    await tryFrom(api, '198.51.100.7', { username: 'Demo' });
    for (const address of ['203.0.113.1', '203.0.113.2']) await tryFrom(api, address);

    const stranger = await tryFrom(api, '203.0.113.3');
    const user = await tryFrom(api, '198.51.100.7');

    assert.deepEqual([stranger.status, user.status], [429, 200]);
  });

  it('does not count successful log-ins', async () => {
    const api = await suite.start({ settings });

    const statuses = [];
    for (let count = 0; count < 5; count += 1) {
      suite.cloud.acceptsLogIn(newCaller());
      statuses.push((await api.post('/api/auth/login', { body: login })).status);
      await eventually(() => isUncounted(api));
    }

    assert.deepEqual(statuses, [200, 200, 200, 200, 200]);
  });

  it('does not count failures of the identity service', async () => {
    const api = await suite.start({ settings });

    const statuses = [];
    for (let count = 0; count < 4; count += 1) {
      suite.cloud.rejectsLogIn({ status: 500, body: {} });
      statuses.push((await api.post('/api/auth/login', { body: login })).status);
      await eventually(() => isUncounted(api));
    }

    assert.deepEqual(statuses, [502, 502, 502, 502]);
  });
});

/** The counter of a log-in that does not count is decremented after the response. */
async function isUncounted(api: TestApi): Promise<boolean> {
  const { store } = api.context.redis;
  const keys = await store.keys(`${api.keyPrefix}rate:loginFailures*`);
  const counts = await Promise.all(keys.map((key) => store.get(key.slice(api.keyPrefix.length))));
  return counts.every((count) => Number(count) <= 0);
}
