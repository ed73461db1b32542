import assert from 'node:assert/strict';
import type { ErrorBody } from '../../support/api/client.ts';
import { inOtherProject, newCaller, type TestCaller } from '../../support/api/factories.ts';
import { killableRedis } from '../../support/api/killable-redis.ts';
import { apiSuite, type TestApi } from '../../support/api/suite.ts';
import { eventually } from '../../support/eventually.ts';

const body = { username: 'demo', password: 'demo-secret' };

describe('POST /api/auth/logout', () => {
  const suite = apiSuite();

  async function logIn(api: TestApi): Promise<TestCaller> {
    const caller = newCaller();
    suite.cloud.acceptsLogIn(caller);
    await api.post('/api/auth/login', { body });
    return caller;
  }

  async function assertEnded(api: TestApi, as: TestCaller): Promise<void> {
    const answer = await api.get<ErrorBody>('/api/auth/me', { as });
    assert.deepEqual([answer.status, answer.body.code], [401, 'session_expired']);
  }

  it('revokes the token and ends its session', async () => {
    const api = await suite.start();
    const caller = await logIn(api);
    suite.cloud.revokesToken(caller.token);

    const answer = await api.post('/api/auth/logout', { as: caller });

    assert.deepEqual([answer.status, answer.text], [204, '']);
    await assertEnded(api, caller);
  });

  it('takes effect in every process that has served the token', async () => {
    const api = await suite.start();
    const other = await suite.start({ keyPrefix: api.keyPrefix });
    const caller = await logIn(api);
    suite.cloud.reply('compute/flavors');
    for (const process of [api, other, api, other]) {
      assert.equal((await process.get('/api/flavors', { as: caller })).status, 200);
    }
    suite.cloud.revokesToken(caller.token);

    await api.post('/api/auth/logout', { as: caller });

    assert.equal((await api.get('/api/flavors', { as: caller })).status, 401);
    await eventually(async () => {
      const { status } = await other.get('/api/flavors', { as: caller });
      return status === 401;
    });
  });

  it('revokes all tokens of the session, whichever of them logs out', async () => {
    const api = await suite.start();
    const first = await logIn(api);
    const second = inOtherProject(first);
    suite.cloud.rescopesToken(first.token, second);
    await api.post('/api/auth/token', { as: first, body: { project_id: second.projectId } });
    suite.cloud.revokesToken(second.token).revokesToken(first.token);

    const answer = await api.post('/api/auth/logout', { as: second });

    assert.equal(answer.status, 204);
    await assertEnded(api, first);
    await assertEnded(api, second);
  });

  it('leaves no token of a switch that it overtakes', async () => {
    const api = await suite.start();
    const caller = await logIn(api);
    const switched = inOtherProject(caller);
    suite.cloud.rescopesToken(caller.token, switched).revokesToken(caller.token).revokesToken(switched.token);
    const { issuedTokens } = api.context;
    const add = issuedTokens.add.bind(issuedTokens);
    issuedTokens.add = async (...issued) => {
      await api.post('/api/auth/logout', { as: caller });
      await add(...issued);
    };

    const body = { project_id: switched.projectId };
    const answer = await api.post<ErrorBody>('/api/auth/token', { as: caller, body });

    assert.deepEqual([answer.status, answer.body.code], [401, 'session_expired']);
  });

  it('ends the session for tokens that were derived elsewhere', async () => {
    const api = await suite.start();
    const caller = await logIn(api);
    const rescoped = inOtherProject(caller);
    suite.cloud.revokesToken(caller.token);
    await api.post('/api/auth/logout', { as: caller });

    suite.cloud.acceptsToken(rescoped);
    await assertEnded(api, rescoped);
  });

  it("keeps the user's other sessions", async () => {
    const api = await suite.start();
    const caller = await logIn(api);
    const elsewhere = await logIn(api);
    suite.cloud.revokesToken(caller.token).acceptsToken(elsewhere);
    await api.post('/api/auth/logout', { as: caller });

    assert.equal((await api.get('/api/auth/me', { as: elsewhere })).status, 200);
  });

  it('succeeds if the identity service no longer knows the token', async () => {
    const api = await suite.start();
    const caller = await logIn(api);
    suite.cloud.revokesToken(caller.token, {
      status: 404,
      body: { error: { code: 404, message: 'Not found' } },
    });

    assert.equal((await api.post('/api/auth/logout', { as: caller })).status, 204);
    await assertEnded(api, caller);
  });

  it('is 503 and can be repeated while the identity service is unavailable', async () => {
    const api = await suite.start();
    const caller = await logIn(api);
    suite.cloud.revokesToken(caller.token, { fault: 'ECONNREFUSED', times: 3 });
    const refused = await api.post('/api/auth/logout', { as: caller });
    const meanwhile = await api.get('/api/auth/me', { as: caller });
    suite.cloud.revokesToken(caller.token);

    const repeated = await api.post('/api/auth/logout', { as: caller });

    assert.deepEqual([refused.status, meanwhile.status, repeated.status], [503, 200, 204]);
  });

  it('is not undone by a concurrent extension of the session', async () => {
    const api = await suite.start();
    const caller = await logIn(api);
    const { sessions } = api.context;
    const [key = ''] = await api.context.redis.store.keys(`${api.keyPrefix}session:*`);
    const sessionId = key.slice(`${api.keyPrefix}session:`.length);
    const read = sessions.read.bind(sessions);
    suite.cloud.revokesToken(caller.token);
    // The extension has read the record; it continues after the response to the log-out.
    let hasLoggedOut = false;
    sessions.read = async (id) => {
      const record = await read(id);
      if (!hasLoggedOut) {
        hasLoggedOut = true;
        await api.post('/api/auth/logout', { as: caller });
      }
      return record;
    };

    await assert.rejects(sessions.extend(sessionId), { code: 'session_expired' });
    await assertEnded(api, caller);
  });
});

describe('POST /api/auth/logout while Redis is unavailable', function () {
  this.timeout(120_000);
  const suite = apiSuite();
  const redis = killableRedis();

  it('revokes the token', async () => {
    const api = await suite.start({ redisUrl: redis.url });
    const caller = newCaller();
    suite.cloud.acceptsToken(caller).revokesToken(caller.token);
    await redis.killAndWait(api);

    const answer = await api.post('/api/auth/logout', { as: caller });

    assert.equal(answer.status, 204);
  });
});
