import assert from 'node:assert/strict';
import type { ErrorBody } from '../../support/api/client.ts';
import { inOtherProject, newCaller, newTokenText, type TestCaller } from '../../support/api/factories.ts';
import { TOKEN_CACHE_SECONDS } from '../../support/api/settings.ts';
import { apiSuite, type TestApi } from '../../support/api/suite.ts';

const proxied = { http: { trusted_proxies: ['loopback'] } };
const settings = { ...proxied, rate_limits: { refusals: 3 } };
const ATTACKER = '203.0.113.1';

describe('a refused token', () => {
  const suite = apiSuite();

  function askFrom(api: TestApi, address: string, as: TestCaller, projectId: string | null = null) {
    const headers = { 'x-forwarded-for': address };
    return api.get<ErrorBody>('/api/auth/me', { as, projectId, headers });
  }

  /** Sends as many invalid tokens as the limit allows. */
  async function useUp(api: TestApi): Promise<void> {
    for (let count = 0; count < 3; count += 1) {
      const unknown = newCaller({ token: newTokenText() });
      suite.cloud.rejectsToken(unknown.token);
      assert.equal((await askFrom(api, ATTACKER, unknown)).status, 401);
    }
  }

  it('is validated once in five seconds', async () => {
    const api = await suite.start();
    const unknown = newCaller();
    suite.cloud.rejectsToken(unknown.token).rejectsToken(unknown.token);

    const statuses = [];
    for (const seconds of [0, 4, 1]) {
      api.clock.advance(seconds);
      statuses.push((await api.get('/api/auth/me', { as: unknown })).status);
      if (seconds === 4) assert.equal(suite.cloud.calls().length, 1);
    }

    assert.deepEqual(statuses, [401, 401, 401]);
    assert.equal(suite.cloud.calls().length, 2);
  });

  it('is not cached as refused if the identity service failed', async () => {
    const api = await suite.start();
    const caller = newCaller();
    suite.cloud.acceptsToken(caller, { status: 500, body: {} });
    const before = await api.get('/api/auth/me', { as: caller });
    suite.cloud.acceptsToken(caller);
    const after = await api.get('/api/auth/me', { as: caller });

    assert.deepEqual([before.status, after.status], [502, 200]);
  });

  it('counts by address, up to a 429 with a Retry-After', async () => {
    const api = await suite.start({ settings });
    await useUp(api);

    const answer = await askFrom(api, ATTACKER, newCaller());

    assert.deepEqual([answer.status, answer.body.code], [429, 'rate_limited']);
    const retryAfter = Number(answer.headers['retry-after']);
    assert.ok(retryAfter > 50 && retryAfter <= 60, String(retryAfter));
  });

  it('counts each time when the same token is repeated', async () => {
    const api = await suite.start({ settings });
    const unknown = newCaller();
    suite.cloud.rejectsToken(unknown.token);

    const statuses = [];
    for (let count = 0; count < 4; count += 1) statuses.push((await askFrom(api, ATTACKER, unknown)).status);

    assert.deepEqual(statuses, [401, 401, 401, 429]);
  });

  it('does not affect other addresses', async () => {
    const api = await suite.start({ settings });
    await useUp(api);
    const caller = suite.cloud.validCaller(newCaller());

    assert.equal((await askFrom(api, '203.0.113.2', caller)).status, 200);
  });

  it('does not affect cached tokens from its address, even at revalidation', async () => {
    const api = await suite.start({ settings });
    const second = await suite.start({ settings, keyPrefix: api.keyPrefix, clock: api.clock });
    const caller = suite.cloud.validCaller(newCaller());
    const loggedIn = newCaller();
    suite.cloud.acceptsLogIn(loggedIn);
    await askFrom(api, ATTACKER, caller);
    await useUp(api);
    await api.post('/api/auth/login', { body: { username: 'demo', password: 'demo-secret' } });

    const statuses = [];
    for (const [process, as] of [
      [api, caller],
      [second, caller],
      [second, loggedIn],
    ] as const) {
      statuses.push((await askFrom(process, ATTACKER, as)).status);
    }
    api.clock.advance(TOKEN_CACHE_SECONDS + 1);
    suite.cloud.acceptsToken(caller);
    statuses.push((await askFrom(second, ATTACKER, caller)).status);

    assert.deepEqual(statuses, [200, 200, 200, 200]);
  });

  it('does not count for valid tokens', async () => {
    const api = await suite.start({ settings });

    for (let count = 0; count < 5; count += 1) {
      const caller = suite.cloud.validCaller(newCaller());
      assert.equal((await askFrom(api, ATTACKER, caller)).status, 200);
    }
  });

  it('refuses none of many valid tokens that arrive at once', async () => {
    const api = await suite.start({ settings });
    const callers = Array.from({ length: 80 }, () =>
      suite.cloud.validCaller(newCaller({ token: newTokenText() })),
    );

    const answers = await Promise.all(callers.map((caller) => askFrom(api, ATTACKER, caller)));

    assert.deepEqual([...new Set(answers.map(({ status }) => status))], [200]);
  });

  it('costs few more calls than the limit when many arrive at once', async () => {
    const api = await suite.start({ settings: { ...settings, upstream: { services: { identity: 2 } } } });
    const unknown = Array.from({ length: 50 }, () => newCaller({ token: newTokenText() }));
    suite.cloud.reply('identity/token-unknown', { times: 50, optional: true });

    const answers = await Promise.all(unknown.map((caller) => askFrom(api, ATTACKER, caller)));

    const calls = suite.cloud.calls().length;
    const statuses = answers.map(({ status }) => status);
    assert.equal(statuses.filter((status) => status === 401).length, calls);
    assert.equal(statuses.filter((status) => status === 429).length, 50 - calls);
    // The last calls were in flight, or had just completed, when the limit was reached.
    assert.ok(calls >= 3 && calls <= 3 + 2 * 2, String(calls));
  });

  it('does not affect a simultaneous valid token from another address', async () => {
    const api = await suite.start({ settings });
    await useUp(api);
    const caller = suite.cloud.validCaller(newCaller());

    const answers = await Promise.all([askFrom(api, ATTACKER, caller), askFrom(api, '203.0.113.2', caller)]);

    assert.deepEqual(
      answers.map(({ status }) => status),
      [429, 200],
    );
  });

  it('counts even if the token was valid before', async () => {
    const api = await suite.start({ settings: { ...settings, session: { token_cache_seconds: 0 } } });
    const caller = suite.cloud.validCaller(newCaller());
    await askFrom(api, ATTACKER, caller);
    suite.cloud.rejectsToken(caller.token);
    for (let count = 0; count < 3; count += 1) await askFrom(api, ATTACKER, caller);

    assert.equal((await askFrom(api, ATTACKER, newCaller())).status, 429);
  });

  it('has no limit if the limit is off', async () => {
    const api = await suite.start({ settings: { ...proxied, rate_limits: { refusals: 0 } } });
    // A refusal is asked for again after some seconds.
    api.clock.stop();
    const unknown = newCaller();
    suite.cloud.rejectsToken(unknown.token);

    for (let count = 0; count < 70; count += 1) {
      assert.equal((await askFrom(api, ATTACKER, unknown)).status, 401);
    }
  });
});

describe('a refused project', () => {
  const suite = apiSuite();

  it('is requested once in five seconds, and granted once accessible', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());
    const other = inOtherProject(caller);
    await api.get('/api/auth/me', { as: caller });
    // After a refusal the token is validated again, since an ended token is refused in the same way.
    suite.cloud.deniesProject(caller.token, other.projectId).acceptsToken(caller);

    const statuses = [];
    for (let count = 0; count < 3; count += 1) {
      statuses.push((await api.get('/api/auth/me', { as: caller, projectId: other.projectId })).status);
    }
    api.clock.advance(5);
    suite.cloud.rescopesToken(caller.token, other);
    statuses.push((await api.get('/api/auth/me', { as: caller, projectId: other.projectId })).status);

    assert.deepEqual(statuses, [403, 403, 403, 200]);
  });

  it('counts by user, who keeps access to other projects', async () => {
    const api = await suite.start({ settings });
    const caller = suite.cloud.validCaller(newCaller());
    const colleague = suite.cloud.validCaller(newCaller({ userId: 'colleague' }));
    const granted = inOtherProject(colleague);
    await api.get('/api/auth/me', { as: caller });
    const statuses = [];
    for (const projectId of ['p-1', 'p-2', 'p-3']) {
      suite.cloud.deniesProject(caller.token, projectId).acceptsToken(caller);
      statuses.push((await api.get('/api/auth/me', { as: caller, projectId })).status);
    }
    suite.cloud.rescopesToken(colleague.token, granted);

    const oneTooMany = await api.get('/api/auth/me', { as: caller, projectId: 'p-4' });
    const own = await api.get('/api/auth/me', { as: caller });
    const others = await api.get('/api/auth/me', { as: colleague, projectId: granted.projectId });

    assert.deepEqual(statuses, [403, 403, 403]);
    assert.deepEqual([oneTooMany.status, own.status, others.status], [429, 200, 200]);
    assert.match(String(oneTooMany.headers['retry-after']), /^\d+$/);
  });
});
