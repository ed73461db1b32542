import assert from 'node:assert/strict';
import type { ErrorBody } from '../../support/api/client.ts';
import { expiryIn, inOtherProject, newCaller, type TestCaller } from '../../support/api/factories.ts';
import { apiSuite, type TestApi } from '../../support/api/suite.ts';

interface SessionInfo {
  remaining_seconds: number;
  timeout_seconds: number;
  warning_before_seconds: number;
  expires_at: string;
}

const HOUR = 3600;
const MINUTE = 60;

describe('a session', () => {
  const suite = apiSuite();
  const settings = { session: { token_cache_seconds: 0 } };

  /** An api with a user who has just logged in. */
  async function logIn(further: Partial<TestCaller> = {}): Promise<{ api: TestApi; caller: TestCaller }> {
    const api = await suite.start({ settings });
    const caller = newCaller({ expiresAt: expiryIn(8 * HOUR * 1000), ...further });
    suite.cloud.acceptsLogIn(caller);
    await api.post('/api/auth/login', { body: { username: 'demo', password: 'demo-secret' } });
    return { api, caller };
  }

  function info(api: TestApi, caller: TestCaller) {
    suite.cloud.acceptsToken(caller);
    return api.get<SessionInfo & ErrorBody>('/api/auth/session-info', { as: caller });
  }

  function extend(api: TestApi, caller: TestCaller) {
    suite.cloud.acceptsToken(caller);
    return api.post<SessionInfo & ErrorBody>('/api/auth/extend-session', { as: caller });
  }

  /** No token is validated once its session has ended. */
  async function assertEnded(api: TestApi, caller: TestCaller, method = 'GET', action = 'session-info') {
    const { status, body } = await api.request<ErrorBody>(method, `/api/auth/${action}`, { as: caller });
    assert.equal(status, 401);
    assert.equal(body.code, 'session_expired');
  }

  it('returns its timeout, its warning time and its end', async () => {
    const { api, caller } = await logIn();
    const before = api.clock.now();

    const { status, body } = await info(api, caller);

    assert.equal(status, 200);
    assert.equal(body.timeout_seconds, 3600);
    assert.equal(body.warning_before_seconds, 300);
    assertAbout(body.remaining_seconds, HOUR);
    assertAbout((Date.parse(body.expires_at) - before) / 1000, HOUR);
  });

  it('ends after its timeout, for every endpoint', async () => {
    const { api, caller } = await logIn();
    api.clock.advance(HOUR + 1);

    const paths = ['/api/auth/me', '/api/instances', '/api/auth/session-info'];
    const answers = await Promise.all(paths.map((path) => api.get<ErrorBody>(path, { as: caller })));

    for (const { status, body } of answers) {
      assert.equal(status, 401);
      assert.equal(body.code, 'session_expired');
    }
  });

  it('lasts until its timeout', async () => {
    const { api, caller } = await logIn();
    api.clock.advance(HOUR - MINUTE);

    const { status, body } = await info(api, caller);

    assert.equal(status, 200);
    assertAbout(body.remaining_seconds, MINUTE);
  });

  it('is not extended by reading it, nor by other requests', async () => {
    const { api, caller } = await logIn();
    api.clock.advance(HOUR / 2);
    await info(api, caller);
    suite.cloud.acceptsToken(caller);
    await api.get('/api/auth/me', { as: caller });

    api.clock.advance(HOUR / 2 + 1);

    await assertEnded(api, caller);
  });

  it('restarts its timeout when it is extended', async () => {
    const { api, caller } = await logIn();
    api.clock.advance(HOUR / 2);

    const extended = await extend(api, caller);
    api.clock.advance(HOUR - MINUTE);
    const later = await info(api, caller);

    assert.equal(extended.status, 200);
    assertAbout(extended.body.remaining_seconds, HOUR);
    assert.equal(later.status, 200);
    assertAbout(later.body.remaining_seconds, MINUTE);
  });

  it('cannot be extended past its absolute maximum', async () => {
    const { api, caller } = await logIn();
    for (let extended = 0; extended < 4; extended += 1) {
      api.clock.advance(HOUR - MINUTE);
      assert.equal((await extend(api, caller)).status, 200);
    }

    const atTheEnd = await info(api, caller);
    api.clock.advance(4 * MINUTE + 1);

    assertAbout(atTheEnd.body.remaining_seconds, 4 * MINUTE);
    await assertEnded(api, caller, 'POST', 'extend-session');
  });

  it('cannot be extended after its end', async () => {
    const { api, caller } = await logIn();
    api.clock.advance(HOUR + 1);

    await assertEnded(api, caller, 'POST', 'extend-session');
  });

  it('lasts no longer than its token', async () => {
    const { api, caller } = await logIn({ expiresAt: expiryIn(10 * MINUTE * 1000) });

    const { body } = await info(api, caller);

    assertAbout(body.remaining_seconds, 10 * MINUTE);
    assert.equal(body.expires_at, caller.expiresAt.replace('.000000', ''));
  });

  it('does not start again with the same token', async () => {
    const { api, caller } = await logIn();
    api.clock.advance(HOUR + 1);

    await assertEnded(api, caller);
    await assertEnded(api, caller);
  });

  it('does not restart with a token derived from its own elsewhere', async () => {
    const { api, caller } = await logIn();
    api.clock.advance(HOUR + 1);
    const rescoped = inOtherProject(caller);
    const rescopedAgain = inOtherProject(rescoped);
    suite.cloud.acceptsToken(rescoped).acceptsToken(rescopedAgain);

    for (const as of [rescopedAgain, rescoped, rescopedAgain]) await assertEnded(api, as);
  });

  it('is shared by a token that was derived from its own elsewhere', async () => {
    const { api, caller } = await logIn();
    api.clock.advance(HOUR / 2);
    const rescoped = inOtherProject(caller);

    const before = await info(api, rescoped);
    await extend(api, rescoped);
    const after = await info(api, caller);

    assertAbout(before.body.remaining_seconds, HOUR / 2);
    assertAbout(after.body.remaining_seconds, HOUR);
  });

  it('does not prevent a new log-in after its end', async () => {
    const { api } = await logIn();
    api.clock.advance(HOUR + 1);
    const anew = newCaller({ expiresAt: expiryIn(8 * HOUR * 1000) });
    suite.cloud.acceptsLogIn(anew);
    await api.post('/api/auth/login', { body: { username: 'demo', password: 'demo-secret' } });

    const { status, body } = await info(api, anew);

    assert.equal(status, 200);
    assertAbout(body.remaining_seconds, HOUR);
  });

  it('starts at the first use of a token that was issued elsewhere', async () => {
    const api = await suite.start({ settings });
    const caller = newCaller({ expiresAt: expiryIn(8 * HOUR * 1000) });

    const first = await info(api, caller);
    api.clock.advance(HOUR / 2);
    const second = await info(api, caller);
    api.clock.advance(HOUR / 2 + 1);

    assertAbout(first.body.remaining_seconds, HOUR);
    assertAbout(second.body.remaining_seconds, HOUR / 2);
    await assertEnded(api, caller);
  });

  it('is shared by all api processes', async () => {
    const { api, caller } = await logIn();
    const other = await suite.start({ settings, keyPrefix: api.keyPrefix, clock: api.clock });
    api.clock.advance(HOUR / 2);
    await extend(api, caller);

    const { body } = await info(other, caller);

    assertAbout(body.remaining_seconds, HOUR);
  });

  it('ends even while its token is cached', async () => {
    const api = await suite.start({
      settings: { session: { length_seconds: 60, warning_seconds: 10, token_cache_seconds: 120 } },
    });
    const caller = suite.cloud.validCaller(newCaller());
    const before = await api.get('/api/auth/me', { as: caller });

    api.clock.advance(MINUTE + 1);
    const after = await api.get<ErrorBody>('/api/auth/me', { as: caller });

    assert.deepEqual([before.status, after.status], [200, 401]);
    assert.equal(after.body.code, 'session_expired');
  });
});

describe('POST /api/auth/token', () => {
  const suite = apiSuite();

  it('issues a token for the other project', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());
    const other = inOtherProject(caller);
    suite.cloud.rescopesToken(caller.token, other);

    const answer = await api.post<{ token: string; project_id: string }>('/api/auth/token', {
      as: caller,
      body: { project_id: other.projectId },
    });

    assert.equal(answer.status, 200);
    assert.equal(answer.body.token, other.token);
    assert.equal(answer.body.project_id, other.projectId);
    assert.equal(answer.headers['cache-control'], 'no-store');
  });

  it('is 403 for a project without access', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());
    suite.cloud.deniesProject(caller.token, 'elsewhere');

    const answer = await api.post<ErrorBody>('/api/auth/token', {
      as: caller,
      body: { project_id: 'elsewhere' },
    });

    assert.equal(answer.status, 403);
    assert.equal(answer.body.code, 'forbidden');
  });

  it('keeps the session: the new token ends with the original log-in', async () => {
    const api = await suite.start({ settings: { session: { token_cache_seconds: 0 } } });
    const caller = newCaller();
    const other = inOtherProject(caller);
    suite.cloud.acceptsToken(caller);
    await api.get('/api/auth/me', { as: caller });
    api.clock.advance(HOUR / 2);
    suite.cloud.acceptsToken(caller).rescopesToken(caller.token, other);
    await api.post('/api/auth/token', { as: caller, body: { project_id: other.projectId } });

    suite.cloud.acceptsToken(other);
    const switched = await api.get<SessionInfo>('/api/auth/session-info', { as: other });
    api.clock.advance(HOUR / 2 + 1);
    const ended = await api.get<ErrorBody>('/api/auth/session-info', { as: other });

    assertAbout(switched.body.remaining_seconds, HOUR / 2);
    assert.equal(ended.status, 401);
    assert.equal(ended.body.code, 'session_expired');
  });

  it('shares the session: an extension applies to both tokens', async () => {
    const api = await suite.start({ settings: { session: { token_cache_seconds: 0 } } });
    const caller = newCaller();
    const other = inOtherProject(caller);
    suite.cloud.acceptsToken(caller).rescopesToken(caller.token, other);
    await api.post('/api/auth/token', { as: caller, body: { project_id: other.projectId } });
    api.clock.advance(HOUR / 2);
    suite.cloud.acceptsToken(other);
    await api.post('/api/auth/extend-session', { as: other });

    suite.cloud.acceptsToken(caller);
    const info = await api.get<SessionInfo>('/api/auth/session-info', { as: caller });

    assertAbout(info.body.remaining_seconds, HOUR);
  });

  it('requires a project id', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());

    for (const body of [{}, { project_id: '' }, { project_id: '..' }, { project_id: 5 }]) {
      const answer = await api.post<ErrorBody>('/api/auth/token', { as: caller, body });
      assert.equal(answer.status, 400);
      assert.deepEqual(
        answer.body.errors?.map(({ field }) => field),
        ['body.project_id'],
      );
    }
  });
});

/** Tolerates rounding to whole seconds, and the duration of the test. */
function assertAbout(seconds: number, wanted: number): void {
  assert.ok(seconds <= wanted && seconds > wanted - 30, `${seconds} is not about ${wanted}`);
}
